#pragma once
// The routes every test site has beside its pages: effects, uploads, downloads, redirects, slow and
// broken answers, streams. One row each; the table is in site_routes.cc and described in
// tests/site/README.md.

#include <string>
#include <string_view>

#include "net/http_message.h"
#include "tests/support/site_journal.h"

namespace falconer::test {

// The names under which one site is reached, without a slash at the end.
struct SiteOrigins {
  std::string main;          // http://127.0.0.1:P
  std::string other_origin;  // http://127.0.0.1:Q, same site
  std::string cross_site;    // http://localhost:P
  std::string third_site;    // http://127.0.0.2:P
};

// What a route may use. Its members outlive every request.
struct SiteServices {
  CallContext ctx;
  SiteJournal* journal;
  SiteOrigins origins;
};

// One row of the table. A path that ends in a slash matches everything below it.
struct SiteRoute {
  std::string_view path;
  Task<net::HttpResponse> (*answer)(SiteServices site, net::HttpRequest request);
};

// The row for a path, or null.
const SiteRoute* FindRoute(std::string_view path);

// A page of tests/site with effects.js put inline and the origins filled in; 404 if there is none.
net::HttpResponse PageResponse(const SiteOrigins& origins, std::string_view path);

// Helpers for routes. A number in the query, or the fallback.
std::size_t QueryNumber(const net::HttpRequest& request, std::string_view key,
                        std::size_t fallback);
Task<void> Pause(CallContext ctx, std::size_t milliseconds);
net::HttpResponse JsonResponse(const json::value& value);
net::HttpResponse HtmlResponse(std::string body);

// Rows that live in files of their own.
Task<net::HttpResponse> AnswerDownload(SiteServices site, net::HttpRequest request);
Task<net::HttpResponse> AnswerUpload(SiteServices site, net::HttpRequest request);
Task<net::HttpResponse> AnswerRedirect(SiteServices site, net::HttpRequest request);
Task<net::HttpResponse> AnswerServerEvents(SiteServices site, net::HttpRequest request);
Task<net::HttpResponse> AnswerNever(SiteServices site, net::HttpRequest request);
Task<net::HttpResponse> AnswerSlowBody(SiteServices site, net::HttpRequest request);
Task<net::HttpResponse> AnswerWebSocket(SiteServices site, net::HttpRequest request);
Task<net::HttpResponse> AnswerBigPage(SiteServices site, net::HttpRequest request);
Task<net::HttpResponse> AnswerManyElements(SiteServices site, net::HttpRequest request);
Task<net::HttpResponse> AnswerBigJson(SiteServices site, net::HttpRequest request);

}  // namespace falconer::test
