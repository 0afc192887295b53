#include "api/http/protected_resource.h"

#include <fmt/format.h>

#include "api/http/role.h"

namespace falconer::api {
namespace {

constexpr std::string_view kRealm = "Bearer realm=\"falconer\"";

// A scope is the role that it stands for.
json::array ScopesAt(std::string_view path) {
  if (path == ProtectedResource::kMcpPath)
    return {NameIn(kRoles, Role::kAgent), NameIn(kRoles, Role::kOperator)};
  json::array all;
  for (const auto& role : kRoles) all.push_back(json::value(role.name));
  return all;
}

}  // namespace

std::string ProtectedResource::Base(const net::HttpRequest& request) const {
  if (!public_url.empty()) return public_url;
  return fmt::format("{}://{}", scheme, request.headers.Find("host").value_or(""));
}

json::object ProtectedResource::Metadata(const net::HttpRequest& request,
                                         std::string_view path) const {
  return {{"resource", Base(request) + std::string(path)},
          {"authorization_servers", json::array{json::value(issuer)}},
          {"bearer_methods_supported", json::array{"header"}},
          {"scopes_supported", ScopesAt(path)},
          {"resource_name", "falconer"}};
}

std::string ProtectedResource::Challenge(const net::HttpRequest& request) const {
  if (!is_told()) return std::string(kRealm);
  const std::string_view path = request.path == kMcpPath ? kMcpPath : "";
  return fmt::format("{}, resource_metadata=\"{}{}{}\"", kRealm, Base(request), kWellKnown, path);
}

}  // namespace falconer::api
