#pragma once
// `falconer replay TURN|RUN`: evaluates recorded decisions again, from the ledger alone; with
// --act NAME it does a learned workflow again instead.

#include "app/audit/audit_commands.h"
#include "app/command.h"
#include "app/predict/predicted_run_command.h"
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
    {"NAME?", "TURN|RUN", "The turn or run; an action_id or a workflow will do.", &Arguments::name},
    kTenantOption,
    kArchiveOption,
    {"--expect", "CLASS:DECISION",
     "A divergence that is expected, such as PLAN:plan.budgets. Repeatable.", &Arguments::expected},
    {"--act", "NAME", "Do this learned workflow again, instead of looking at the ledger.",
     &Arguments::act},
    kParameterOption,
    {"--session", "NAME", "With --act: the session to work in; without it, one of that name.",
     &Arguments::session},
    {"--visible", "", "With --act: show the window of the full Chromium (needs a display).",
     &Arguments::is_visible},
    kDryRunOption,
    kProfileOption,
    kIterationsOption,
    kNoModelOption,
    kRunReportOption,
};

inline constexpr std::string_view kReplayNotes =
    "Exit codes:\n"
    "  0 every decision is reproduced, or differs as expected, 1 a decision comes out\n"
    "  differently, 2 wrong usage or settings, 3 evidence is missing, or there is\n"
    "  nothing of that name.\n"
    "With --act:\n"
    "  0 completed, 1 ended otherwise, 2 wrong usage or settings, 3 it asks or was refused.";

}  // namespace falconer::app
