#pragma once
// `falconer mcp`: the tools over standard input and output.

#include "app/command.h"

namespace falconer::app {

inline constexpr OptionRow kMcpOptions[] = {
    {"--tools", "GROUPS",
     "Tools beside the core: contract, audit, crawl, or all; several with commas.",
     &Arguments::tools},
};

int RunMcp(const Arguments& arguments, Terminal& terminal);

}  // namespace falconer::app
