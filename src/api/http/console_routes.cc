// The console: files that hold no data. What they ask for needs a key like everything else.

#include "api/http/console_routes.h"

#include <algorithm>
#include <utility>

#include "api/http/accepted_media.h"
#include "api/http/console_files.h"
#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/http/service_info.h"
#include "base/list_parts.h"
#include "base/text.h"

namespace falconer::api {
namespace {

constexpr std::string_view kFrontDoor = "/";
constexpr std::string_view kConsolePage = "index.html";
// Only files of this server run and only this server is asked, whatever got into the page.
constexpr char kConsolePolicy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";
// A file whose name tells its content never changes; the page that names them does.
constexpr char kKeptForever[] = "public, max-age=31536000, immutable";
constexpr char kAskedAgain[] = "no-cache";

const ConsoleFile* FindConsoleFile(std::string_view name) {
  const auto files = ConsoleFiles();
  const auto found = std::ranges::find(files, name, &ConsoleFile::name);
  return found == files.end() ? nullptr : &*found;
}

// "gzip", with any weight but none.
bool TakesGzip(const net::HttpRequest& request) {
  return std::ranges::any_of(
      ListParts(request.headers.Find("accept-encoding").value_or("")), [](std::string_view part) {
        const std::size_t semicolon = std::min(part.find(';'), part.size());
        const std::string weight = ToLower(part.substr(semicolon));
        const bool is_refused =
            weight.contains("q=0") &&
            weight.find_first_of("123456789", weight.find("q=0")) == std::string::npos;
        return ToLower(Trim(part.substr(0, semicolon))) == "gzip" && !is_refused;
      });
}

bool HasConsoleFile(const net::HttpRequest& request, const ConsoleFile& file) {
  const auto parts = ListParts(request.headers.Find("if-none-match").value_or(""));
  return std::ranges::find(parts, file.etag) != parts.end();
}

Task<Result<net::HttpResponse>> GetConsoleFile(std::string name, RouteCall call) {
  const ConsoleFile* file = FindConsoleFile(name);
  if (file == nullptr)
    co_return Fail(ErrorCode::kNotFound, "the console has no file " + call.request.path);
  net::HttpResponse response;
  response.headers = {{"Content-Type", std::string(file->content_type)},
                      {"ETag", std::string(file->etag)},
                      {"Vary", "Accept-Encoding"},
                      {"Cache-Control", name == kConsolePage ? kAskedAgain : kKeptForever},
                      {"Content-Security-Policy", kConsolePolicy},
                      {"Cross-Origin-Opener-Policy", "same-origin"},
                      {"Cross-Origin-Resource-Policy", "same-origin"},
                      {"Referrer-Policy", "no-referrer"}};
  if (HasConsoleFile(call.request, *file)) {
    response.status = 304;
    co_return response;
  }
  const bool is_packed = TakesGzip(call.request);
  if (is_packed) response.headers.Set("Content-Encoding", "gzip");
  response.body = is_packed ? file->packed : file->plain;
  co_return response;
}

Route ConsolePageRow(std::string_view pattern) {
  return {.method = "GET",
          .pattern = pattern,
          .tag = "server",
          .summary = "The console, for people: a page.",
          .roles = kEveryRole,
          .handler =
              [](CallContext, RouteCall call) {
                return GetConsoleFile(std::string(kConsolePage), std::move(call));
              },
          .door = Door::kOpen};
}

// The front door: people get the console, programs are told what there is.
Task<Result<net::HttpResponse>> GetFrontDoor(RestContext* context, CallContext, RouteCall call) {
  const bool is_program = PrefersMedia(call.request, kJsonMedia, "text/html");
  CO_TRY_ASSIGN(net::HttpResponse response,
                is_program ? Result<net::HttpResponse>(JsonResponse(
                                 200, ServiceInfo(AllRoutes(*context), context->version)))
                           : co_await GetConsoleFile(std::string(kConsolePage), std::move(call)));
  response.headers.Set("Vary", "Accept, Accept-Encoding");
  co_return response;
}

}  // namespace

std::vector<Route> ConsoleRows() {
  return {ConsolePageRow(kFrontDoor),
          ConsolePageRow("/console"),
          {.method = "GET",
           .pattern = "/console/{file}",
           .tag = "server",
           .summary = "A file of the console.",
           .roles = kEveryRole,
           .handler =
               [](CallContext, RouteCall call) {
                 std::string name = call.At("file");
                 return GetConsoleFile(std::move(name), std::move(call));
               },
           .door = Door::kOpen}};
}

std::vector<Route> ConsoleRoutes(RestContext& context) {
  std::vector<Route> rows = ConsoleRows();
  Route& door = *std::ranges::find(rows, kFrontDoor, &Route::pattern);
  door.summary = "The console, for people; what there is here, for who prefers application/json.";
  door.handler = Handle<GetFrontDoor>(context);
  return rows;
}

}  // namespace falconer::api
