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
  // Of two routes of one method that match a path, the one counts that names more of it.
  explicit Router(std::vector<Route> routes);

  struct Found {
    const Route* route = nullptr;
    PathValues path;
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
  // The segments of each route's pattern.
  std::vector<std::vector<std::string_view>> patterns_;
};

}  // namespace falconer::api
