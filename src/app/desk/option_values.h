#pragma once
// What options of several commands say, read one way, and what is answered when one is wrong.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "app/command.h"
#include "base/error.h"

namespace falconer::app {

// --reason: must be given. kInvalidArgument.
Result<std::string> ReasonOf(const Arguments& arguments);
// --reason, if it is given. kInvalidArgument.
Result<std::string> OptionalReasonOf(const Arguments& arguments);

// A duration such as "90s" in whole seconds; nothing when the text is empty. kInvalidArgument
// naming the option.
Result<std::optional<std::chrono::seconds>> SecondsOf(std::string_view option,
                                                      const std::string& text);

// A whole number within the bounds, or kInvalidArgument naming `option`.
Result<std::uint64_t> NumberOf(std::string_view option, const std::string& text,
                               std::uint64_t least, std::uint64_t most);
// "2026-01-31", "2026-01-31T10:00:00Z" or milliseconds since 1970.
Result<std::int64_t> TimeOf(std::string_view option, const std::string& text);

// Prints the error and returns kExitUsage for wrong words, else kExitFailed.
int Refuse(const Arguments& arguments, Terminal& terminal, const Error& error);

}  // namespace falconer::app
