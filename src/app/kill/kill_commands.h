#pragma once
// `falconer pause`, `falconer resume` and `falconer kill`: the switch for when something is wrong.
// None of it needs a running Falconer. Those that run begin nothing more, and break off within a
// second what they have begun.

#include "app/command.h"

namespace falconer::app {

int RunPause(const Arguments& arguments, Terminal& terminal);
int RunResume(const Arguments& arguments, Terminal& terminal);
// Pauses everything, revokes every token, and takes a copy of the ledger. Each is tried whatever
// becomes of the others; kExitFailed when one of them failed.
int RunKill(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kPauseOptions[] = {
    {"--reason", "TEXT", "Why; must be given. Whoever wants to act is told.", &Arguments::reason},
    {"--tenant", "NAME", "Only this tenant; everything when not given.", &Arguments::tenant},
};
inline constexpr OptionRow kResumeOptions[] = {
    {"--tenant", "NAME", "The pause of this tenant; that of everything when not given.",
     &Arguments::tenant},
};
inline constexpr OptionRow kKillOptions[] = {
    {"--reason", "TEXT", "Why; must be given. Whoever wants to act is told.", &Arguments::reason},
    {"--out", "DIR", "Where the evidence goes; a new folder below evidence in data.dir.",
     &Arguments::out},
};

}  // namespace falconer::app
