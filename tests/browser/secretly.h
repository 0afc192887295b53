#pragma once
// Typing secrets, as whoever keeps them lets an action do it.

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/test_browser.h"

namespace falconer::test {

inline constexpr std::string_view kSecret = "correct horse battery";

// Does the action with a text that names a secret. `uses` gets what was asked for.
Task<Result<model::ActionOutcome>> DoSecretly(BrowserFixture& t, std::string action,
                                              std::string_view value = kSecret,
                                              std::vector<browser::SecretUse>* uses = nullptr);

// Does an action that somebody decides on, and lets it do everything.
Task<Result<model::ActionOutcome>> DoAllowed(BrowserFixture& t, std::string action);

}  // namespace falconer::test
