#pragma once
// How commands report: exit codes, errors with a hint, and the JSON form of both.

#include <optional>
#include <string>
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

// Details of an error that choose a more exact hint than its code does.
inline constexpr std::string_view kSettingDetail = "setting";     // the setting to look at
inline constexpr std::string_view kDisplayDetail = "display";     // the display that was tried
inline constexpr std::string_view kLimitDetail = "limit";         // the command that raises a limit
inline constexpr std::string_view kReasonDetail = "reason";       // why a rule refused
inline constexpr std::string_view kNetErrorDetail = "net_error";  // what the browser's network said
inline constexpr std::string_view kApprovalDetail = "approval_id";  // the approval it is about
inline constexpr std::string_view kKeyDetail =
    "key";  // which key of the data folder cannot be used

// The keys of the data folder, as kKeyDetail names them.
inline constexpr std::string_view kVaultKey = "vault";
inline constexpr std::string_view kRedactionKey = "redaction";
inline constexpr std::string_view kLedgerKey = "ledger";
inline constexpr std::string_view kTokenKeys = "tokens";

// The error with a detail more.
Error WithDetail(const Error& error, std::string_view key, std::string_view value);
// What went wrong with one of the keys: what is damaged or missing is said to be that key. Others'
// right to read it, and the disk, have hints of their own.
Error AboutKey(const Error& error, std::string_view which);

// What a person can do about an error, by its code.
std::string_view HintFor(ErrorCode code);
// The same by its details; nothing when they choose none.
std::optional<std::string> ExactHintFor(const Error& error);
// The exact hint, or that of the code.
std::string HintFor(const Error& error);

// Text: "error: CODE: message" and the hint, as complaints. JSON:
// {"ok":false,"error":{...,"hint"}}.
void PrintError(Terminal& terminal, OutputForm form, const Error& error);
void PrintError(Terminal& terminal, OutputForm form, const Error& error, std::string_view hint);

// One object on one line. Bytes that are not UTF-8, as words and variables may hold them, are
// printed as U+FFFD: what is printed is always JSON.
void PrintJson(Terminal& terminal, const json::value& value);

}  // namespace falconer::app
