#pragma once
// `falconer act FILE|-`: carries out contracts or a plan, and tells how it went.

#include "app/command.h"

namespace falconer::app {

// An exit code of kActEnds, kExitUsage for bad input or settings, or that of a signal.
int RunAct(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kActOptions[] = {
    {"FILE", "FILE|-",
     "One contract, many (a JSON array, or one on each line) or a plan; - reads standard input.",
     &Arguments::file},
    {"--workflow", "NAME",
     "The workflow of every contract; without it that of the contract, or cli.",
     &Arguments::workflow},
    {"--dry-run", "", "Check everything, do nothing on the page.", &Arguments::is_dry},
    {"--keep-going", "", "Go on with the next contract after one has failed; plans do not.",
     &Arguments::keeps_going},
};

inline constexpr std::string_view kActNotes =
    "Exit codes:\n"
    "  0 everything succeeded, 1 carried out and failed, 2 wrong usage, input or settings,\n"
    "  3 refused by a gate, by policy or by people, 4 outcome unknown,\n"
    "  5 failed and asks for a person, 128+N ended by signal N. Of several contracts the worst\n"
    "  counts: 4, 5, 3, 1.";

}  // namespace falconer::app
