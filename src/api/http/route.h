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

// The parts of a path that its pattern names, decoded.
using PathValues = std::map<std::string, std::string, std::less<>>;

struct RouteCall {
  net::HttpRequest request;
  PathValues path;
  HttpClient client;
  // What the query says, of the types that the route's rows name.
  json::object query = {};

  const std::string& At(std::string_view name) const { return path.find(name)->second; }
  // kInvalidArgument when the body is not JSON.
  Result<json::value> Body() const;
};

using RouteHandler =
    std::function<Task<Result<net::HttpResponse>>(CallContext ctx, RouteCall call)>;

// Whether a ticket lets somebody watch what the path names.
using RouteTickets = std::function<bool(std::string_view ticket, const PathValues& path)>;

enum class Door : std::uint8_t { kOpen, kLocked };

// A parameter of the query, as the document tells it.
struct QueryRow {
  std::string_view name;
  std::string_view type;  // "string", "integer", "boolean"
  std::string_view about;
};

// The query as an object. kInvalidArgument for a name that no row has, one that comes twice, and a
// value that is not of its type.
Result<json::object> ReadQuery(std::string_view query, const std::vector<QueryRow>& rows);

inline constexpr std::string_view kJsonMedia = "application/json";

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
  bool is_body_optional = false;
  // What it answers with, when all is well.
  std::string_view media = kJsonMedia;
  // Who has such a ticket (?ticket=) needs no key, and is a viewer. Empty: there are none.
  RouteTickets tickets = nullptr;
  // Whether it is there for what the path names. Empty: always.
  std::function<bool(const PathValues& path)> applies = nullptr;
};

}  // namespace falconer::api
