#pragma once
// The OpenAPI 3.1 document of the server, made from its routes.

#include <string_view>
#include <vector>

#include "api/http/route.h"

namespace falconer::api {

json::object OpenApiDocument(const std::vector<Route>& routes, std::string_view version);

}  // namespace falconer::api
