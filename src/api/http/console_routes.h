#pragma once
// The routes of the console, which need nothing of the server they belong to.

#include <vector>

#include "api/http/route.h"

namespace falconer::api {

std::vector<Route> ConsoleRows();

}  // namespace falconer::api
