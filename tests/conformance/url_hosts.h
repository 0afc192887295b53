#pragma once
// URLs that are hard to read: the domain rules must see the host that a browser would open, or
// refuse the URL.

#include <filesystem>

#include "tests/conformance/score.h"

namespace falconer::test {

Score UrlHosts(const std::filesystem::path& folder);

}  // namespace falconer::test
