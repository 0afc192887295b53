#include "api/http/problem.h"

#include "base/json/json.h"
#include "base/text.h"

namespace falconer::api {
namespace {

constexpr std::string_view kWait = "retry_after_ms";
constexpr std::string_view kDenial = "denial_id";
constexpr std::int64_t kSecondMs = 1000;

// "ELEMENT_NOT_FOUND" is "Element not found".
std::string TitleOf(std::string_view name) {
  std::string title;
  for (const char c : name) title += c == '_' ? ' ' : title.empty() ? c : LowerOf(c);
  return title;
}

}  // namespace

json::object ProblemJson(const Error& error) {
  const ErrorTraits& traits = TraitsOf(error.code());
  json::object details = error.details();
  json::object body{{"type", "about:blank"},        {"title", TitleOf(traits.name)},
                    {"status", traits.http_status}, {"detail", error.message()},
                    {"code", traits.name},          {"retryable", error.is_retryable()}};
  for (const std::string_view key : {kWait, kDenial}) {
    const json::value* known = details.if_contains(key);
    if (known == nullptr) continue;
    body[key] = *known;
    details.erase(key);
  }
  if (!details.empty()) body["details"] = std::move(details);
  return body;
}

net::HttpResponse Problem(const Error& error) {
  const json::object body = ProblemJson(error);
  net::HttpResponse response = net::TextResponse(TraitsOf(error.code()).http_status,
                                                 "application/problem+json", json::serialize(body));
  if (const json::value* wait = body.if_contains(kWait); wait != nullptr && wait->is_int64()) {
    response.headers.Set("Retry-After",
                         std::to_string((wait->get_int64() + kSecondMs - 1) / kSecondMs));
  }
  return response;
}

net::HttpResponse JsonResponse(int status, const boost::json::value& value) {
  return net::TextResponse(status, "application/json", json::serialize(value));
}

}  // namespace falconer::api
