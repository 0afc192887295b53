#pragma once
// `falconer serve`: the server.

#include "app/command.h"

namespace falconer::app {

int RunServe(const Arguments& arguments, Terminal& terminal);

}  // namespace falconer::app
