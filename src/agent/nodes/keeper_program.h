#pragma once
// Where the keeper (keeper/keeper_plan.h) is, so that it can be started.

#include <string>
#include <string_view>

#include "base/error.h"

namespace falconer::agent {

// The program itself, as it was built in.
std::string_view KeeperBytes();

// A path under which it can be run as long as this process lives: it is in memory and in no folder.
// kToolUnavailable when the system does not run programs from there.
Result<std::string> KeeperPath();

}  // namespace falconer::agent
