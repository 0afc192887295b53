#pragma once
// How commands report: exit codes, errors with a hint, and the JSON form of both.

#include <string_view>

#include "app/terminal.h"
#include "base/error.h"
#include "base/json/json.h"

namespace falconer::app {

// What the program answers to the shell. Ended by a signal, it answers 128 + the signal's number.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

enum class OutputForm { kText, kJson };

// What a person can do about an error, by its code.
std::string_view HintFor(ErrorCode code);

// Text: "error: CODE: message" and the hint, as complaints. JSON:
// {"ok":false,"error":{...,"hint"}}.
void PrintError(Terminal& terminal, OutputForm form, const Error& error);
void PrintError(Terminal& terminal, OutputForm form, const Error& error, std::string_view hint);

// One object on one line.
void PrintJson(Terminal& terminal, const json::value& value);

}  // namespace falconer::app
