#pragma once
// Reads a secret from standard input.

#include <string_view>

#include "policy/secrets/secret_text.h"

namespace falconer::app {

inline constexpr std::size_t kLongestTypedSecret = 64UL * 1024;

// The first line of standard input, without its end. On a terminal `prompt` is shown and what is
// typed is not. kInvalidArgument when there is nothing or too much, kIoError.
Result<policy::SecretText> ReadSecret(std::string_view prompt);

}  // namespace falconer::app
