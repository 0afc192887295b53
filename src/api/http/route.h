#pragma once
// Route: one thing that can be asked of the server: how, by whom, and what answers it. The rows are
// also what the OpenAPI document is made of.

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/http/role.h"
#include "base/async/call_context.h"
#include "base/json/json.h"
#include "net/http_message.h"

namespace falconer::api {

// Who asks, as far as the key tells.
struct HttpClient {
  Role role = Role::kViewer;
  std::string peer;
};

struct RouteCall {
  net::HttpRequest request;
  // The parts of the path that the pattern names, decoded.
  std::map<std::string, std::string, std::less<>> path;
  HttpClient client;

  const std::string& At(std::string_view name) const { return path.find(name)->second; }
  // kInvalidArgument when the body is not JSON.
  Result<json::value> Body() const;
};

using RouteHandler =
    std::function<Task<Result<net::HttpResponse>>(CallContext ctx, RouteCall call)>;

enum class Door : std::uint8_t { kOpen, kLocked };

// A parameter of the query, as the document tells it.
struct QueryRow {
  std::string_view name;
  std::string_view type;  // "string", "integer", "boolean"
  std::string_view about;
};

struct Route {
  std::string_view method;
  // Segments in braces take any value: "/v1/sessions/{session}/state".
  std::string_view pattern;
  std::string_view tag;
  std::string_view summary;
  RoleSet roles;
  RouteHandler handler;
  // Without a key.
  Door door = Door::kLocked;
  std::vector<QueryRow> query = {};
  // The schema of the body, by its name in the document; "" when there is none.
  std::string_view body = {};
};

}  // namespace falconer::api
