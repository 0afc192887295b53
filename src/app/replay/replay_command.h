#pragma once
// `falconer replay TURN|RUN`: evaluates recorded decisions again, from the ledger alone.

#include "app/audit/audit_commands.h"
#include "app/command.h"
#include "engine/replay/replay_report.h"

namespace falconer::app {

// What the shell is told.
struct ReplayExit {
  engine::ReplayStatus status;
  int code;
  std::string_view meaning;
};

inline constexpr ReplayExit kReplayExits[] = {
    {engine::ReplayStatus::kReproduced, kExitOk, "every decision comes out as it was recorded"},
    {engine::ReplayStatus::kExpected, kExitOk, "what differs was announced with --expect"},
    {engine::ReplayStatus::kDiverged, kExitFailed, "a decision comes out differently"},
    {engine::ReplayStatus::kMissing, 3, "evidence is missing: something cannot be evaluated"},
};

// An exit code of kReplayExits; that of kMissing too when the ledger knows no such name, kExitUsage
// for bad words and settings, kExitFailed when the ledger cannot be read.
int RunReplay(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kReplayOptions[] = {
    {"NAME", "TURN|RUN", "The turn or run; an action_id or a workflow will do.", &Arguments::name},
    kTenantOption,
    kArchiveOption,
    {"--expect", "CLASS:DECISION",
     "A divergence that is expected, such as PLAN:plan.budgets. Repeatable.", &Arguments::expected},
};

}  // namespace falconer::app
