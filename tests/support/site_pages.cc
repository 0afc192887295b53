// Pages: files of tests/site, and the ones too big to be files.

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

#include "base/file.h"
#include "tests/support/site_routes.h"

namespace falconer::test {

using net::HttpRequest;
using net::HttpResponse;
using net::TextResponse;

namespace {

const std::filesystem::path kPages = FALCONER_TEST_PAGES;

void ReplaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::string_view TypeOf(const std::filesystem::path& file) {
  const auto extension = file.extension();
  if (extension == ".html") return "text/html; charset=utf-8";
  if (extension == ".js") return "text/javascript";
  return "application/octet-stream";
}

// Inline, so that a page is one request: tests count requests.
void InlineEffects(std::string& page) {
  constexpr std::string_view kTag = "<script src=\"effects.js\"></script>";
  if (page.find(kTag) == std::string::npos) return;
  const auto script = ReadFile(kPages / "effects.js");
  ReplaceAll(page, kTag, "<script>" + script.value_or("") + "</script>");
}

bool IsPlainName(std::string_view name) {
  return !name.empty() && name.find('/') == std::string_view::npos && !name.starts_with('.');
}

}  // namespace

HttpResponse PageResponse(const SiteOrigins& origins, std::string_view path) {
  const auto name = path.substr(std::min<std::size_t>(1, path.size()));
  auto page = IsPlainName(name) ? ReadFile(kPages / name)
                                : Result<std::string>(Fail(ErrorCode::kNotFound, "no such page"));
  if (!page) {
    return TextResponse(404, "text/html; charset=utf-8",
                        "<!doctype html><title>404</title><h1>No such page</h1>");
  }
  InlineEffects(*page);
  ReplaceAll(*page, "{{OTHER_ORIGIN}}", origins.other_origin);
  ReplaceAll(*page, "{{CROSS_SITE}}", origins.cross_site);
  ReplaceAll(*page, "{{THIRD_SITE}}", origins.third_site);
  auto response = TextResponse(200, std::string(TypeOf(name)), *std::move(page));
  response.headers.Set("Cache-Control", "no-store");
  return response;
}

// ?mb= megabytes of text in paragraphs of ten thousand characters.
Task<HttpResponse> AnswerBigPage(SiteServices /*site*/, HttpRequest request) {
  const auto bytes = std::min<std::size_t>(QueryNumber(request, "mb", 20), 200) << 20;
  std::string paragraph;
  while (paragraph.size() < 10'000) paragraph += "peregrine saker merlin kestrel hobby ";
  std::string page = "<!doctype html><title>Big</title><h1>Big</h1>";
  page.reserve(bytes + 2 * paragraph.size());
  while (page.size() < bytes) page += "<p>" + paragraph + "</p>\n";
  page += "<button id=\"last\" onclick=\"document.title = 'clicked'\">Last</button>";
  co_return HtmlResponse(std::move(page));
}

// ?n= elements as a table: each row has a row, two cells and a button.
Task<HttpResponse> AnswerManyElements(SiteServices /*site*/, HttpRequest request) {
  const auto rows = std::min<std::size_t>(QueryNumber(request, "n", 10'000), 1'000'000) / 4;
  std::string page =
      "<!doctype html><title>Many</title><script>window.__log = []</script>"
      "<table onclick=\"__log.push(event.target.textContent); document.title = "
      "event.target.textContent\"><tbody>\n";
  for (std::size_t i = 0; i < rows; ++i) {
    page += fmt::format("<tr><td>Row {0}</td><td><button>Pick {0}</button></td></tr>\n", i);
  }
  co_return HtmlResponse(page + "</tbody></table>");
}

// ?mb= megabytes of JSON.
Task<HttpResponse> AnswerBigJson(SiteServices /*site*/, HttpRequest request) {
  const auto bytes = std::min<std::size_t>(QueryNumber(request, "mb", 5), 200) << 20;
  std::string body = "{\"items\": [";
  for (std::size_t i = 0; body.size() < bytes; ++i) {
    body += fmt::format("{}\n{{\"id\": {}, \"name\": \"kestrel\"}}", i == 0 ? "" : ",", i);
  }
  co_return TextResponse(200, "application/json", body + "]}");
}

}  // namespace falconer::test
