#pragma once
// How carrying out a contract ended, as the shell and people are told: one table.

#include <cstdint>
#include <string_view>

#include "app/report.h"
#include "model/contract/result.h"

namespace falconer::app {

// From best to worst: of several contracts the worst one counts.
enum class ActEnd : std::uint8_t { kOk, kFailed, kRefused, kNeedsPerson, kUnknown };

struct ActEndRow {
  ActEnd end;
  int exit_code;
  std::string_view word;     // for a line on a terminal
  std::string_view meaning;  // for help and docs
};

inline constexpr ActEndRow kActEnds[] = {
    {ActEnd::kOk, kExitOk, "ok", "everything succeeded"},
    {ActEnd::kFailed, kExitFailed, "FAILED", "carried out and failed"},
    {ActEnd::kRefused, 3, "REFUSED", "refused by a gate, by policy or by people"},
    {ActEnd::kUnknown, 4, "UNKNOWN",
     "outcome unknown: begun before a crash or not on record; never repeated"},
    {ActEnd::kNeedsPerson, 5, "NEEDS A PERSON", "failed and asks for a person"},
};

const ActEndRow& RowOf(ActEnd end);

// Whether a contract names an escalation itself. By default every failure that is not worth another
// attempt is one for human review, and the result says so; a shell is told only when it was asked
// for.
enum class Escalation : std::uint8_t { kByDefault, kAskedFor };

ActEnd EndOf(const model::ActionExecutionResult& result, Escalation escalation);

}  // namespace falconer::app
