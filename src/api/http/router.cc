#include "api/http/router.h"

#include <algorithm>

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

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The server has refused bad escapes already.
std::string DecodedSegment(std::string_view segment) {
  std::string out;
  for (std::size_t i = 0; i < segment.size(); ++i) {
    const bool is_escape = segment[i] == '%' && i + 2 < segment.size() &&
                           HexValue(segment[i + 1]) >= 0 && HexValue(segment[i + 2]) >= 0;
    if (!is_escape) {
      out += segment[i];
      continue;
    }
    out += static_cast<char>(HexValue(segment[i + 1]) * 16 + HexValue(segment[i + 2]));
    i += 2;
  }
  return out;
}

// Nothing when the path is another one. A part that is named is never empty.
std::optional<std::map<std::string, std::string, std::less<>>> Match(
    std::string_view pattern, const std::vector<std::string_view>& path) {
  const std::vector<std::string_view> wanted = RouteSegments(pattern);
  if (wanted.size() != path.size()) return std::nullopt;
  std::map<std::string, std::string, std::less<>> values;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::string value = DecodedSegment(path[i]);
    if (wanted[i].starts_with('{')) {
      if (value.empty()) return std::nullopt;
      values.emplace(wanted[i].substr(1, wanted[i].size() - 2), std::move(value));
    } else if (wanted[i] != value) {
      return std::nullopt;
    }
  }
  return values;
}

}  // namespace

std::expected<Router::Found, Router::NotFound> Router::Find(std::string_view method,
                                                            std::string_view target) const {
  const std::vector<std::string_view> path = RouteSegments(target.substr(0, target.find('?')));
  NotFound others;
  for (const Route& route : routes_) {
    auto values = Match(route.pattern, path);
    if (!values) continue;
    if (route.method == method) return Found{&route, *std::move(values)};
    others.methods.push_back(route.method);
  }
  return std::unexpected(std::move(others));
}

}  // namespace falconer::api
