#pragma once
// ProtectedResource: tells clients which authorization server has tokens for this one (RFC 9728).

#include <string>
#include <string_view>

#include "base/json/json.h"
#include "net/http_message.h"

namespace falconer::api {

struct ProtectedResource {
  // Of the authorization server, as "https://login.example"; "" for none: then nothing is told.
  std::string issuer = {};
  // What clients know this server by, without a slash at its end; "" for the name that they call.
  std::string public_url = {};
  // Of that name.
  std::string_view scheme = "http";

  static constexpr std::string_view kWellKnown = "/.well-known/oauth-protected-resource";
  static constexpr std::string_view kMcpPath = "/mcp";

  bool is_told() const { return !issuer.empty(); }
  // Of the server as a whole ("") or of /mcp.
  json::object Metadata(const net::HttpRequest& request, std::string_view path) const;
  // The WWW-Authenticate header of a refusal. The request's host must have been checked.
  std::string Challenge(const net::HttpRequest& request) const;

 private:
  std::string Base(const net::HttpRequest& request) const;
};

}  // namespace falconer::api
