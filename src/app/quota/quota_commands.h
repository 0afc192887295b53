#pragma once
// `falconer quota ...`, `falconer breakers ...` and `falconer health`: what tenants may use, which
// sites are down, and how it all stands. None of it needs a running Falconer; one that runs sees
// what is changed here at its next action.

#include "app/command.h"

namespace falconer::app {

int RunQuotaGet(const Arguments& arguments, Terminal& terminal);
int RunQuotaSet(const Arguments& arguments, Terminal& terminal);
int RunBreakersList(const Arguments& arguments, Terminal& terminal);
int RunBreakersReset(const Arguments& arguments, Terminal& terminal);
// How many sites are down, how many sessions are open, and what is paused.
int RunHealth(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kQuotaGetOptions[] = {
    {"--tenant", "NAME", "Whose; the tenant of the settings when not given.", &Arguments::tenant},
};
inline constexpr OptionRow kQuotaSetOptions[] = {
    {"LIMIT", "NAME=NUMBER",
     "A limit, such as max_actions_per_minute=60: 0 for none, default for that of the settings. "
     "Repeatable.",
     &Arguments::limits},
    {"--tenant", "NAME", "Whose; must be given.", &Arguments::tenant},
};
inline constexpr OptionRow kBreakersListOptions[] = {
    {"--tenant", "NAME", "Only those of this tenant.", &Arguments::tenant},
};
inline constexpr OptionRow kBreakersResetOptions[] = {
    {"--tenant", "NAME", "Only those of this tenant; of every tenant when not given.",
     &Arguments::tenant},
    {"--domain", "HOST", "Only that of this host.", &Arguments::domain},
};

}  // namespace falconer::app
