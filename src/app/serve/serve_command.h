#pragma once
// `falconer serve`: the server.

#include "app/command.h"

namespace falconer::app {

inline constexpr OptionRow kServeOptions[] = {
    {"--tools", "GROUPS",
     "Tools at /mcp beside the core: contract, audit, crawl, or all; several with commas.",
     &Arguments::tools},
    {"--demo", "", "Open the demo's shop, and let an agent buy there while people watch.",
     &Arguments::plays_demo},
    {"--open", "", "Open the console in a browser; print a link to it that is good for this run.",
     &Arguments::opens_console},
};

int RunServe(const Arguments& arguments, Terminal& terminal);

}  // namespace falconer::app
