#pragma once
// What the server says of itself to programs that come to its front door.

#include <string_view>
#include <vector>

#include "api/http/route.h"

namespace falconer::api {

// {"name","version","documents":{...},"endpoints":[{"method","path","summary"}]}.
json::object ServiceInfo(const std::vector<Route>& routes, std::string_view version);

}  // namespace falconer::api
