#pragma once
// Router: finds the route that a request means.

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "api/http/route.h"

namespace falconer::api {

class Router {
 public:
  // Two routes of one method must not match the same path.
  explicit Router(std::vector<Route> routes) : routes_(std::move(routes)) {}

  struct Found {
    const Route* route = nullptr;
    std::map<std::string, std::string, std::less<>> path;
  };
  // What the path has instead of the method that was asked for; empty when there is no such path.
  struct NotFound {
    std::vector<std::string_view> methods;
  };

  // `target` as it came. Segments are compared decoded, and a slash that is escaped divides none.
  std::expected<Found, NotFound> Find(std::string_view method, std::string_view target) const;

  const std::vector<Route>& routes() const { return routes_; }

 private:
  std::vector<Route> routes_;
};

}  // namespace falconer::api
