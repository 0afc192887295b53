// Uploads and redirects.

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "tests/support/site_routes.h"

namespace falconer::test {

using net::HttpRequest;
using net::HttpResponse;
using net::QueryValue;
using net::TextResponse;

namespace {

struct Part {
  std::string field;
  std::string filename;
  std::string_view content;
  bool is_file = false;
};

// The value of `key="..."` in a header line.
std::optional<std::string> QuotedValue(std::string_view line, std::string_view key) {
  const std::string start = std::string(key) + "=\"";
  const auto at = line.find(start);
  if (at == std::string_view::npos) return std::nullopt;
  const auto from = at + start.size();
  return std::string(line.substr(from, line.find('"', from) - from));
}

Part ParsePart(std::string_view raw) {
  const auto end = std::min(raw.find("\r\n\r\n"), raw.size());
  const auto head = raw.substr(0, end);
  const auto filename = QuotedValue(head, "; filename");
  return {.field = QuotedValue(head, "; name").value_or(""),
          .filename = filename.value_or(""),
          .content = raw.substr(std::min(end + 4, raw.size())),
          .is_file = filename.has_value()};
}

std::vector<Part> ParseMultipart(std::string_view body, std::string_view content_type) {
  const auto at = content_type.find("boundary=");
  if (at == std::string_view::npos) return {};
  const std::string mark = "--" + std::string(content_type.substr(at + 9));
  std::vector<Part> parts;
  auto from = body.find(mark);
  while (from != std::string_view::npos) {
    from += mark.size() + 2;
    const auto to = body.find("\r\n" + mark, from);
    if (to == std::string_view::npos) break;
    parts.push_back(ParsePart(body.substr(from, to - from)));
    from = to + 2;
  }
  return parts;
}

std::string Redirection(const SiteServices& site, const std::vector<std::string>& codes,
                        const std::string& to) {
  if (codes.empty()) return to;
  std::string list;
  for (const auto& code : codes) list += (list.empty() ? "" : ",") + code;
  return site.origins.main + "/redirect/chain?codes=" + list + "&to=" + to;
}

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

HttpResponse RedirectResponse(int status, std::string to) {
  HttpResponse response{.status = status};
  response.headers.Set("Location", std::move(to));
  return response;
}

// One step of ?codes=301,302,... that ends at ?to=.
HttpResponse RedirectChain(const SiteServices& site, const HttpRequest& request) {
  auto codes = SplitAtCommas(QueryValue(request.query, "codes").value_or("302"));
  const auto to = QueryValue(request.query, "to").value_or("/empty.html");
  int status = 0;
  if (!codes.empty()) {
    std::from_chars(codes[0].data(), codes[0].data() + codes[0].size(), status);
    codes.erase(codes.begin());
  }
  if (status < 300 || status > 399) return TextResponse(400, "text/plain", "codes are 3xx");
  return RedirectResponse(status, Redirection(site, codes, to));
}

}  // namespace

// Tells what really arrived: as JSON, or as a page for a form that was submitted.
Task<HttpResponse> AnswerUpload(SiteServices site, HttpRequest request) {
  json::array files;
  json::object fields;
  std::string listed;
  for (const Part& part :
       ParseMultipart(request.body, request.headers.Find("Content-Type").value_or(""))) {
    if (!part.is_file) {
      fields[part.field] = part.content;
    } else if (!part.filename.empty()) {
      const auto hash = Sha256Hex(part.content);
      files.emplace_back(json::object{{"field", part.field},
                                      {"name", part.filename},
                                      {"size", part.content.size()},
                                      {"sha256", hash}});
      listed += "<li>" + part.field + " " + hash + "</li>";
    }
  }
  const json::object stored{{"files", std::move(files)}, {"fields", std::move(fields)}};
  site.journal->Add({.page = "/upload", .name = "upload", .detail = stored});
  if (request.headers.Find("Accept").value_or("").starts_with("text/html")) {
    co_return HtmlResponse("<!doctype html><title>Stored</title><ul id=\"stored\">" + listed +
                           "</ul>");
  }
  co_return JsonResponse(stored);
}

Task<HttpResponse> AnswerRedirect(SiteServices site, HttpRequest request) {
  const auto to = QueryValue(request.query, "to").value_or("/empty.html");
  if (request.path == "/redirect/loop") co_return RedirectResponse(302, "/redirect/loop");
  if (request.path == "/redirect/chain") co_return RedirectChain(site, request);
  if (request.path == "/redirect/meta") {
    co_return HtmlResponse(
        "<!doctype html><title>Meta</title><meta http-equiv=\"refresh\" "
        "content=\"0; url=" +
        to + "\">");
  }
  if (request.path == "/redirect/script") {
    co_return HtmlResponse("<!doctype html><title>Script</title><script>location.replace(" +
                           json::serialize(json::value(to)) + ")</script>");
  }
  co_return TextResponse(404, "text/plain", "no such redirect");
}

}  // namespace falconer::test
