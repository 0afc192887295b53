#include "api/http/route.h"

#include <algorithm>

#include "base/text.h"

namespace falconer::api {
namespace {

std::optional<json::value> BooleanOf(std::string_view text) {
  if (text == "true") return json::value(true);
  if (text == "false") return json::value(false);
  return std::nullopt;
}

std::optional<json::value> ValueOf(std::string_view type, const std::string& text) {
  if (type == "boolean") return BooleanOf(text);
  if (type != "integer") return json::value(std::string_view(text));
  const auto number = ParseWhole(text);
  return number ? std::optional<json::value>(*number) : std::nullopt;
}

}  // namespace

Result<json::object> ReadQuery(std::string_view query, const std::vector<QueryRow>& rows) {
  json::object object;
  for (const auto& [name, text] : net::QueryPairs(query)) {
    const auto row = std::ranges::find(rows, name, &QueryRow::name);
    if (row == rows.end())
      return Fail(ErrorCode::kInvalidArgument, "query: there is no parameter " + name);
    if (object.contains(name))
      return Fail(ErrorCode::kInvalidArgument, "query: " + name + " comes twice");
    auto value = ValueOf(row->type, text);
    if (!value) {
      return Fail(ErrorCode::kInvalidArgument,
                  "query: " + name + " must be of type " + std::string(row->type));
    }
    object[name] = *std::move(value);
  }
  return object;
}

Result<json::value> RouteCall::Body() const {
  auto body = ParseJson(request.body);
  if (body) return body;
  return Fail(Error(ErrorCode::kInvalidArgument, body.error().message()).In("body"));
}

}  // namespace falconer::api
