#pragma once
// The JOSE vectors (JSON Web Signature, JSON Web Key, key confusion): every verdict about the
// algorithms that tokens may have must be theirs, and everything else must be refused.

#include <filesystem>

#include "tests/conformance/score.h"

namespace falconer::test {

Score JoseVectors(const std::filesystem::path& folder);

}  // namespace falconer::test
