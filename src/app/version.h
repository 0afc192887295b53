#pragma once
// `falconer version` and `falconer --version`.

#include <string_view>

#include "app/terminal.h"

namespace falconer::app {

struct Arguments;

std::string_view Version();

int RunVersion(const Arguments& arguments, Terminal& terminal);

}  // namespace falconer::app
