#include "tests/support/site_routes.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/async/alarm.h"

namespace falconer::test {

using net::HttpRequest;
using net::HttpResponse;
using net::QueryValue;
using net::TextResponse;

namespace {

Task<HttpResponse> AnswerEffect(SiteServices site, HttpRequest request) {
  auto parsed = ParseJson(request.body);
  if (!parsed || !parsed->is_object()) {
    co_return TextResponse(400, "text/plain", "an effect is a JSON object");
  }
  json::object& body = parsed->as_object();
  const auto text = [&](std::string_view key) {
    const auto* value = body.if_contains(key);
    return value && value->is_string() ? std::string(value->as_string()) : std::string();
  };
  site.journal->Add({.page = text("page"), .name = text("name"), .detail = body["detail"]});
  co_return HttpResponse{.status = 204};
}

Task<HttpResponse> AnswerSubmit(SiteServices /*site*/, HttpRequest request) {
  std::string shown;
  for (const char c : request.body)
    shown += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  co_return HtmlResponse("<!doctype html><title>Received</title><h1 id=\"method\">" +
                         request.method + "</h1><pre id=\"received\">" + shown + "</pre>");
}

Task<HttpResponse> AnswerEcho(SiteServices /*site*/, HttpRequest request) {
  json::object headers;
  for (const auto& field : request.headers) headers[field.name] = field.value;
  auto response = JsonResponse(json::object{{"method", request.method},
                                            {"target", request.target},
                                            {"headers", std::move(headers)},
                                            {"body", request.body}});
  if (request.path.starts_with("/cors/")) {
    response.headers.Set("Access-Control-Allow-Origin", "*");
    response.headers.Set("Access-Control-Allow-Headers", "*");
  }
  co_return response;
}

Task<HttpResponse> AnswerDelay(SiteServices site, HttpRequest request) {
  co_await Pause(site.ctx, QueryNumber(request, "ms", 0));
  co_return TextResponse(200, QueryValue(request.query, "type").value_or("text/plain"),
                         QueryValue(request.query, "body").value_or("late"));
}

Task<HttpResponse> AnswerStatus(SiteServices /*site*/, HttpRequest request) {
  const std::string digits = request.path.substr(std::string_view("/status/").size());
  int status = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), status);
  if (status < 200 || status > 599) status = 404;
  auto response =
      HtmlResponse("<!doctype html><title>" + digits + "</title><h1>Status " + digits + "</h1>");
  response.status = status;
  co_return response;
}

Task<HttpResponse> AnswerBasicAuth(SiteServices /*site*/, HttpRequest request) {
  // falcon:hood
  if (request.headers.Find("Authorization") == "Basic ZmFsY29uOmhvb2Q=") {
    co_return HtmlResponse("<!doctype html><title>Inside</title><h1 id=\"inside\">Inside</h1>");
  }
  auto response = TextResponse(401, "text/plain", "name and password, please");
  response.headers.Set("WWW-Authenticate", "Basic realm=\"mews\"");
  co_return response;
}

Task<HttpResponse> AnswerSetCookies(SiteServices /*site*/, HttpRequest request) {
  auto response = TextResponse(200, "text/plain", "set");
  std::string_view left = request.query;
  while (!left.empty()) {
    const auto end = std::min(left.find('&'), left.size());
    response.headers.Add("Set-Cookie", std::string(left.substr(0, end)) + "; Path=/");
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  response.headers.Add("Set-Cookie", "locked=1; Path=/; HttpOnly; SameSite=Lax");
  co_return response;
}

Task<HttpResponse> AnswerReadCookies(SiteServices /*site*/, HttpRequest request) {
  const auto cookie = request.headers.Find("Cookie").value_or("");
  co_return JsonResponse(json::object{{"cookie", cookie}});
}

Task<HttpResponse> AnswerItems(SiteServices /*site*/, HttpRequest request) {
  const auto from = QueryNumber(request, "from", 0);
  const auto count = std::min<std::size_t>(QueryNumber(request, "count", 10), 1000);
  json::array items;
  for (auto i = from; i < from + count; ++i) items.emplace_back("Item " + std::to_string(i + 1));
  co_return JsonResponse(json::object{{"items", std::move(items)}});
}

Task<HttpResponse> AnswerCities(SiteServices site, HttpRequest request) {
  co_await Pause(site.ctx, QueryNumber(request, "ms", 0));
  const auto country = QueryValue(request.query, "country").value_or("");
  json::array cities;
  if (country == "ch") cities = {"Zug", "Bern", "Chur"};
  if (country == "is") cities = {"Reykjavik", "Akureyri"};
  co_return JsonResponse(json::object{{"options", std::move(cities)}});
}

Task<HttpResponse> AnswerJson(SiteServices /*site*/, HttpRequest /*request*/) {
  co_return JsonResponse(json::object{{"name", "falcon"}, {"speed", 389}, {"prey", {"a", "b"}}});
}

Task<HttpResponse> AnswerMalformedJson(SiteServices /*site*/, HttpRequest /*request*/) {
  co_return TextResponse(200, "application/json", R"({"price": 12, "items": [1, 2)");
}

Task<HttpResponse> AnswerSilentFailure(SiteServices /*site*/, HttpRequest /*request*/) {
  co_return JsonResponse(json::object{{"success", false}, {"error", "out of stock"}});
}

Task<HttpResponse> AnswerHang(SiteServices site, HttpRequest /*request*/) {
  co_await Alarm(site.ctx.executor(), site.ctx.clock()).Wait(Deadline::Never());
  co_return HttpResponse{.status = 503};
}

Task<HttpResponse> AnswerSlowHeaders(SiteServices site, HttpRequest request) {
  co_await Pause(site.ctx, QueryNumber(request, "ms", 1000));
  co_return HtmlResponse("<!doctype html><title>Slow</title><h1 id=\"arrived\">Arrived</h1>");
}

Task<HttpResponse> AnswerSpa(SiteServices site, HttpRequest /*request*/) {
  co_return PageResponse(site.origins, "/spa.html");
}

Task<HttpResponse> AnswerNothing(SiteServices /*site*/, HttpRequest /*request*/) {
  co_return HttpResponse{.status = 204};
}

constexpr SiteRoute kRoutes[] = {
    {"/effect", &AnswerEffect},
    {"/submit", &AnswerSubmit},
    {"/upload", &AnswerUpload},
    {"/download/", &AnswerDownload},
    {"/redirect/", &AnswerRedirect},
    {"/status/", &AnswerStatus},
    {"/auth/basic", &AnswerBasicAuth},
    {"/cookies/set", &AnswerSetCookies},
    {"/cookies/read", &AnswerReadCookies},
    {"/echo", &AnswerEcho},
    {"/cors/echo", &AnswerEcho},
    {"/delay", &AnswerDelay},
    {"/items", &AnswerItems},
    {"/cities", &AnswerCities},
    {"/json", &AnswerJson},
    {"/json/big", &AnswerBigJson},
    {"/json/malformed", &AnswerMalformedJson},
    {"/json/silent", &AnswerSilentFailure},
    {"/hang", &AnswerHang},
    {"/never", &AnswerNever},
    {"/slow/headers", &AnswerSlowHeaders},
    {"/slow/body", &AnswerSlowBody},
    {"/sse", &AnswerServerEvents},
    {"/ws", &AnswerWebSocket},
    {"/big", &AnswerBigPage},
    {"/elements", &AnswerManyElements},
    {"/spa/", &AnswerSpa},
    {"/from-worker-origin", &AnswerNothing},
    {"/favicon.ico", &AnswerNothing},
};

}  // namespace

const SiteRoute* FindRoute(std::string_view path) {
  for (const SiteRoute& route : kRoutes) {
    const bool is_folder = route.path.ends_with('/');
    if (is_folder ? path.starts_with(route.path) : path == route.path) return &route;
  }
  return nullptr;
}

std::size_t QueryNumber(const HttpRequest& request, std::string_view key, std::size_t fallback) {
  const auto text = QueryValue(request.query, key);
  std::size_t number = 0;
  if (!text ||
      std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc()) {
    return fallback;
  }
  return number;
}

Task<void> Pause(CallContext ctx, std::size_t milliseconds) {
  Alarm alarm(ctx.executor(), ctx.clock());
  co_await alarm.Wait(Deadline::At(ctx.clock().Now() + std::chrono::milliseconds(milliseconds)));
}

HttpResponse JsonResponse(const json::value& value) {
  return TextResponse(200, "application/json", json::serialize(value));
}

HttpResponse HtmlResponse(std::string body) {
  return TextResponse(200, "text/html; charset=utf-8", std::move(body));
}

}  // namespace falconer::test
