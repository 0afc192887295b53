#pragma once
// `falconer serve`: the server.

#include "app/command.h"

namespace falconer::app {

inline constexpr OptionRow kServeOptions[] = {
    {"--tools", "GROUPS",
     "Tools at /mcp beside the core: contract, audit, or all; several with commas.",
     &Arguments::tools},
};

int RunServe(const Arguments& arguments, Terminal& terminal);

}  // namespace falconer::app
