#include "api/mcp/param_headers.h"

#include <charconv>
#include <string>

#include "api/mcp/http_headers.h"

namespace falconer::api {
namespace {

constexpr std::string_view kHeaderMark = "x-mcp-header";

// 42 and 42.0 are the same.
bool IsSameNumber(std::string_view text, double number) {
  double said = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, said);
  return failed == std::errc() && stop == end && said == number;
}

bool SaysTheSame(std::string_view text, const json::value& argument) {
  if (argument.is_string()) return text == std::string_view(argument.get_string());
  if (argument.is_bool()) return text == (argument.get_bool() ? "true" : "false");
  return argument.is_number() && IsSameNumber(text, argument.to_number<double>());
}

std::optional<RpcFailure> CheckParam(const net::HttpHeaders& headers, const std::string& header,
                                     const json::value& argument) {
  const auto value = RepeatedIn(headers, header);
  if (!value) return value.error();
  if (argument.is_null()) {
    if (!*value) return std::nullopt;
    return HeaderMismatch("header " + header + " repeats an argument that is not given");
  }
  if (!*value) return HeaderMismatch("header " + header + " is missing");
  if (SaysTheSame(**value, argument)) return std::nullopt;
  return HeaderMismatch("header " + header + " does not say what its argument says");
}

json::value MemberOf(const json::value& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const json::value* found = object.get_object().if_contains(name);
  return found == nullptr ? json::value() : *found;
}

}  // namespace

std::optional<RpcFailure> CheckParamHeaders(const net::HttpHeaders& headers,
                                            const json::object& schema,
                                            const json::value& arguments) {
  const json::value* properties = schema.if_contains("properties");
  if (properties == nullptr || !properties->is_object()) return std::nullopt;
  for (const auto& [name, property] : properties->get_object()) {
    if (!property.is_object()) continue;
    const json::value argument = MemberOf(arguments, name);
    const std::string mark = TextAt(property.get_object(), kHeaderMark);
    auto wrong = mark.empty() ? CheckParamHeaders(headers, property.get_object(), argument)
                              : CheckParam(headers, "Mcp-Param-" + mark, argument);
    if (wrong) return wrong;
  }
  return std::nullopt;
}

}  // namespace falconer::api
