#pragma once
// Texts for the injection filter: benign ones that look like attacks, and attacks. A benign text
// that is put away is a failure. Of the attacks it is told how many are noticed: a third of them
// are plain questions that nothing but their place makes an attack.

#include <filesystem>

#include "tests/conformance/score.h"

namespace falconer::test {

Score InjectionTexts(const std::filesystem::path& folder);

}  // namespace falconer::test
