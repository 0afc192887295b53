#include "api/http/console_routes.h"

#include <gtest/gtest.h>

#include "api/http/console_files.h"
#include "api/http/router.h"
#include "tests/support/co_test.h"

namespace falconer::api {
namespace {

struct ConsoleBench {
  explicit ConsoleBench(CallContext real) : ctx(std::move(real)), router(ConsoleRows()) {}

  Task<Result<net::HttpResponse>> Get(std::string path, net::HttpHeaders headers = {}) {
    const auto found = router.Find("GET", path);
    if (!found) co_return Fail(ErrorCode::kNotFound, "no route");
    RouteCall call{.request = {.method = "GET", .target = path, .path = path},
                   .path = found->path,
                   .client = {}};
    call.request.headers = std::move(headers);
    co_return co_await found->route->handler(ctx, std::move(call));
  }

  CallContext ctx;
  Router router;
};

std::string HeaderOf(const Result<net::HttpResponse>& response, std::string_view name) {
  return response ? std::string(response->headers.Find(name).value_or("")) : "";
}

TEST(ConsoleTest, IsSmall) {
  std::size_t packed = 0;
  for (const ConsoleFile& file : ConsoleFiles()) packed += file.packed.size();
  EXPECT_GT(packed, 0u);
  EXPECT_LT(packed, 150u * 1024) << "the console must come quickly over any line";
}

CO_TEST(ConsoleTest, ThePageNamesFilesThatAreThere) {
  ConsoleBench bench(ctx);
  const auto page = co_await bench.Get("/");
  EXPECT_EQ(HeaderOf(page, "Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(HeaderOf(page, "Cache-Control"), "no-cache");
  std::size_t files = 0;
  const std::string text = page ? page->body : "";
  for (std::size_t at = text.find("/console/"); at != std::string::npos;
       at = text.find("/console/", at + 1)) {
    const auto file = co_await bench.Get(text.substr(at, text.find('"', at) - at));
    EXPECT_TRUE(file) << text.substr(at, 60);
    EXPECT_EQ(HeaderOf(file, "Cache-Control"), "public, max-age=31536000, immutable");
    ++files;
  }
  EXPECT_EQ(files, 3u) << "script, style and icon";
  EXPECT_EQ(text.find("<script>"), std::string::npos) << "nothing inline";
  EXPECT_EQ((co_await bench.Get("/console"))->body, text);
}

CO_TEST(ConsoleTest, NothingButItsOwnFilesMayRunInIt) {
  ConsoleBench bench(ctx);
  const std::string policy = HeaderOf(co_await bench.Get("/"), "Content-Security-Policy");
  for (const char* part : {"default-src 'none'", "script-src 'self'", "connect-src 'self'",
                           "frame-ancestors 'none'", "base-uri 'none'"})
    EXPECT_TRUE(policy.contains(part)) << part;
  EXPECT_FALSE(policy.contains("unsafe")) << policy;
}

CO_TEST(ConsoleTest, PacksForThoseWhoCanUnpack) {
  ConsoleBench bench(ctx);
  struct PackCase {
    std::string_view said;
    bool is_packed;
  };
  for (const PackCase& c : {PackCase{"gzip, deflate, br", true}, PackCase{"br, GZIP;q=0.5", true},
                            PackCase{"gzip;q=0", false}, PackCase{"gzip; q=0.0, br", false},
                            PackCase{"br", false}, PackCase{"", false}}) {
    const auto page = co_await bench.Get("/", {{"Accept-Encoding", std::string(c.said)}});
    EXPECT_EQ(HeaderOf(page, "Content-Encoding"), c.is_packed ? "gzip" : "") << c.said;
    EXPECT_EQ(page && page->body.starts_with("\x1f\x8b"), c.is_packed) << c.said;
    EXPECT_EQ(HeaderOf(page, "Vary"), "Accept-Encoding");
  }
}

CO_TEST(ConsoleTest, WhatIsKnownIsNotSentAgain) {
  ConsoleBench bench(ctx);
  const std::string etag = HeaderOf(co_await bench.Get("/"), "ETag");
  const auto again = co_await bench.Get("/", {{"If-None-Match", "\"other\", " + etag}});
  EXPECT_EQ(again->status, 304);
  EXPECT_TRUE(again->body.empty());
  EXPECT_EQ((co_await bench.Get("/", {{"If-None-Match", "W/\"other\""}}))->status, 200);
}

CO_TEST(ConsoleTest, HasNoOtherFiles) {
  ConsoleBench bench(ctx);
  for (const char* path : {"/console/none.js", "/console/..%2findex.html", "/console/"}) {
    const auto file = co_await bench.Get(path);
    EXPECT_FALSE(file) << path;
    if (!file) EXPECT_EQ(file.error().code(), ErrorCode::kNotFound) << path;
  }
}

}  // namespace
}  // namespace falconer::api
