#pragma once
// `falconer demo`: the shortest way to see the driver work.

#include "app/command.h"

namespace falconer::app {

int RunDemo(const Arguments& arguments, Terminal& terminal);

}  // namespace falconer::app
