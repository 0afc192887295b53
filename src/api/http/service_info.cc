#include "api/http/service_info.h"

#include <utility>

namespace falconer::api {

json::object ServiceInfo(const std::vector<Route>& routes, std::string_view version) {
  json::array endpoints;
  for (const Route& route : routes) {
    endpoints.push_back(json::object{
        {"method", route.method}, {"path", route.pattern}, {"summary", route.summary}});
  }
  return {{"name", "falconer"},
          {"version", version},
          {"documents", {{"openapi", "/openapi.json"}, {"console", "/console"}}},
          {"endpoints", std::move(endpoints)}};
}

}  // namespace falconer::api
