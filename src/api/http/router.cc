#include "api/http/router.h"

#include <algorithm>

#include "base/percent.h"

namespace falconer::api {
namespace {

std::vector<std::string_view> RouteSegments(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    path.remove_prefix(path.starts_with('/') ? 1 : 0);
    const std::size_t end = std::min(path.find('/'), path.size());
    segments.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return segments;
}

bool IsNamed(std::string_view segment) {
  return segment.starts_with('{');
}

// A part that is named is never empty.
bool Matches(const std::vector<std::string_view>& pattern, const std::vector<std::string>& path) {
  return std::ranges::equal(pattern, path, [](std::string_view wanted, const std::string& value) {
    return IsNamed(wanted) ? !value.empty() : wanted == value;
  });
}

PathValues ValuesIn(const std::vector<std::string_view>& pattern,
                    const std::vector<std::string>& path) {
  PathValues values;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (IsNamed(pattern[i])) values.emplace(pattern[i].substr(1, pattern[i].size() - 2), path[i]);
  }
  return values;
}

}  // namespace

Router::Router(std::vector<Route> routes) : routes_(std::move(routes)) {
  for (const Route& route : routes_) patterns_.push_back(RouteSegments(route.pattern));
}

std::expected<Router::Found, Router::NotFound> Router::Find(std::string_view method,
                                                            std::string_view target) const {
  std::vector<std::string> path;
  for (const std::string_view segment : RouteSegments(target.substr(0, target.find('?'))))
    path.push_back(PercentDecoded(segment));
  NotFound others;
  std::optional<std::size_t> best;
  const auto named = [this](std::size_t at) {
    return std::ranges::count_if(patterns_[at], IsNamed);
  };
  for (std::size_t at = 0; at < routes_.size(); ++at) {
    if (!Matches(patterns_[at], path)) continue;
    const auto& applies = routes_[at].applies;
    if (applies && !applies(ValuesIn(patterns_[at], path))) continue;
    if (routes_[at].method != method) {
      others.methods.push_back(routes_[at].method);
    } else if (!best || named(at) < named(*best)) {
      best = at;
    }
  }
  if (best) return Found{&routes_[*best], ValuesIn(patterns_[*best], path)};
  return std::unexpected(std::move(others));
}

}  // namespace falconer::api
