#include "api/http/front_desk.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "tests/support/co_test.h"

namespace falconer::api {
namespace {

Task<Result<net::HttpResponse>> Greet(RouteCall call) {
  co_return net::TextResponse(200, "text/plain",
                              std::string(NameIn(kRoles, call.client.role)) + " greets");
}

Task<Result<net::HttpResponse>> Refuse() {
  co_return Fail(Error(ErrorCode::kPolicyDenied, "no",
                       {{"denial_id", "den_1"}, {"retry_after_ms", 1500}, {"rule", "r"}}));
}

Route Row(std::string_view pattern, RoleSet roles, Door door = Door::kLocked) {
  return {.method = "GET",
          .pattern = pattern,
          .roles = roles,
          .handler = [](CallContext, RouteCall call) { return Greet(std::move(call)); },
          .door = door};
}

Route TicketRow(std::string_view pattern) {
  Route row = Row(pattern, {Role::kViewer, Role::kOperator});
  row.query = {{"ticket", "string", "instead of a key"}};
  row.tickets = [](std::string_view ticket, const PathValues& path) {
    return ticket == "good" && path.find("session")->second == "shop";
  };
  return row;
}

struct DeskBench {
  explicit DeskBench(CallContext real) : ctx(std::move(real)), keys(AccessKeys::Generate(made)) {
    std::vector<Route> routes = {Row("/open", kEveryRole, Door::kOpen), Row("/all", kEveryRole),
                                 Row("/decide", {Role::kApprover}), TicketRow("/stream/{session}")};
    routes.push_back({.method = "GET",
                      .pattern = "/refused",
                      .roles = kEveryRole,
                      .handler = [](CallContext, RouteCall) { return Refuse(); },
                      .door = Door::kOpen});
    desk.emplace(clock, keys, Router(std::move(routes)),
                 FrontDeskRules{.hosts = {"127.0.0.1", "[::1]"},
                                .origins = {"https://console.example"},
                                .wrong_keys = 3});
  }

  std::string KeyOf(Role role) const { return made[static_cast<std::size_t>(role)].key; }

  Task<net::HttpResponse> Ask(std::string path, net::HttpHeaders headers = {},
                              std::string method = "GET") {
    const std::size_t mark = std::min(path.find('?'), path.size());
    net::HttpRequest request{.method = std::move(method),
                             .target = path,
                             .path = path.substr(0, mark),
                             .query = path.substr(std::min(mark + 1, path.size()))};
    request.headers = std::move(headers);
    if (!request.headers.Has("host")) request.headers.Set("host", "127.0.0.1:3252");
    request.peer = "127.0.0.1:5000";
    co_return co_await desk->Answer(ctx, std::move(request));
  }

  CallContext ctx;
  FakeClock clock;
  std::vector<NewAccessKey> made;
  AccessKeys keys;
  std::optional<FrontDesk> desk;
};

net::HttpHeaders Bearer(const std::string& key) {
  return {{"Authorization", "Bearer " + key}};
}

std::string CodeOf(const net::HttpResponse& response) {
  const auto problem = ParseJsonObject(response.body);
  return problem ? TextAt(*problem, "code") : response.body;
}

CO_TEST(FrontDeskTest, AKeyOpensWhatItsRoleMay) {
  DeskBench bench(ctx);
  const auto all = co_await bench.Ask("/all", Bearer(bench.KeyOf(Role::kAgent)));
  EXPECT_EQ(all.status, 200);
  EXPECT_EQ(all.body, "agent greets");
  EXPECT_EQ((co_await bench.Ask("/decide", Bearer(bench.KeyOf(Role::kApprover)))).status, 200);
  const auto refused = co_await bench.Ask("/decide", Bearer(bench.KeyOf(Role::kAgent)));
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(CodeOf(refused), "FORBIDDEN");
  EXPECT_EQ((co_await bench.Ask("/open")).status, 200);
}

CO_TEST(FrontDeskTest, WithoutAKeyNothingIsDone) {
  DeskBench bench(ctx);
  const auto none = co_await bench.Ask("/all");
  EXPECT_EQ(none.status, 401);
  EXPECT_TRUE(none.headers.Has("www-authenticate"));
  EXPECT_EQ((co_await bench.Ask("/all", {{"Authorization", "Basic abc"}})).status, 401);
  EXPECT_EQ((co_await bench.Ask("/all", Bearer("fk_agent_0"))).status, 401);
}

CO_TEST(FrontDeskTest, TellsWhereATokenIsToBeHad) {
  const ProtectedResource resource{.issuer = "https://login.example", .scheme = "https"};
  DeskBench bench(ctx);
  bench.desk.emplace(bench.clock, bench.keys, Router({Row("/mcp", kEveryRole)}),
                     FrontDeskRules{.hosts = {"127.0.0.1"}, .resource = resource});
  const auto refused = co_await bench.Ask("/mcp");

  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.headers.Find("www-authenticate"),
            "Bearer realm=\"falconer\", resource_metadata=\"https://127.0.0.1:3252/.well-known/"
            "oauth-protected-resource/mcp\"");
}

Task<Result<net::HttpResponse>> TellTrace(CallContext ctx) {
  co_return net::TextResponse(200, "text/plain", ctx.ids().trace.value());
}

CO_TEST(FrontDeskTest, ACallBelongsToTheTraceOfItsClient) {
  DeskBench bench(ctx);
  Route traced = Row("/traced", kEveryRole, Door::kOpen);
  traced.handler = [](CallContext call, const RouteCall&) { return TellTrace(std::move(call)); };
  bench.desk.emplace(bench.clock, bench.keys, Router({traced}),
                     FrontDeskRules{.hosts = {"127.0.0.1"}});
  const std::string trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  EXPECT_EQ((co_await bench.Ask("/traced", {{"traceparent", trace}})).body, trace);
  EXPECT_EQ((co_await bench.Ask("/traced")).body, "");
}

CO_TEST(FrontDeskTest, WhoeverGuessesMustWaitAndNobodyElse) {
  DeskBench bench(ctx);
  for (int i = 0; i < 3; ++i) EXPECT_EQ((co_await bench.Ask("/all", Bearer("x"))).status, 401);

  const auto waiting = co_await bench.Ask("/all", Bearer("x"));

  EXPECT_EQ(waiting.status, 429);
  EXPECT_EQ(waiting.headers.Find("retry-after"), "60");
  EXPECT_EQ((co_await bench.Ask("/all", Bearer(bench.KeyOf(Role::kViewer)))).status, 200);
  bench.clock.Advance(std::chrono::seconds(61));
  EXPECT_EQ((co_await bench.Ask("/all", Bearer("x"))).status, 401);
}

CO_TEST(FrontDeskTest, OnlyItsOwnNamesLeadToIt) {
  DeskBench bench(ctx);
  for (const char* host : {"127.0.0.1", "127.0.0.1:80", "[::1]:3252"})
    EXPECT_EQ((co_await bench.Ask("/open", {{"Host", host}})).status, 200) << host;
  for (const char* host : {"evil.example", "127.0.0.1.evil.example", "", "[::1",
                           "127.0.0.1:1, evil", "127.0.0.1:80@evil"}) {
    const auto refused = co_await bench.Ask("/open", {{"Host", host}});
    EXPECT_EQ(refused.status, 403) << host;
  }
}

CO_TEST(FrontDeskTest, OnlyItsOwnPagesAsk) {
  DeskBench bench(ctx);
  for (const char* origin : {"http://127.0.0.1:3252", "https://console.example"})
    EXPECT_EQ((co_await bench.Ask("/open", {{"Origin", origin}})).status, 200) << origin;
  for (const char* origin : {"http://evil.example", "null", "http://127.0.0.1:9999",
                             "https://console.example.evil.test"})
    EXPECT_EQ((co_await bench.Ask("/open", {{"Origin", origin}})).status, 403) << origin;
}

CO_TEST(FrontDeskTest, WhatGoesWrongIsAProblem) {
  DeskBench bench(ctx);
  const auto refused = co_await bench.Ask("/refused");
  const auto problem = ParseJsonObject(refused.body);
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.headers.Find("content-type"), "application/problem+json");
  EXPECT_EQ(refused.headers.Find("retry-after"), "2");
  EXPECT_TRUE(problem);
  if (!problem) co_return;
  EXPECT_EQ(TextAt(*problem, "title"), "Policy denied");
  EXPECT_EQ(TextAt(*problem, "denial_id"), "den_1");
  EXPECT_EQ(problem->at("details"), json::value({{"rule", "r"}}));
  EXPECT_EQ((co_await bench.Ask("/nowhere")).status, 404);
  const auto wrong = co_await bench.Ask("/open", {}, "POST");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_EQ(wrong.headers.Find("allow"), "GET");
  const auto head = co_await bench.Ask("/open", {}, "HEAD");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body, "");
}

CO_TEST(FrontDeskTest, APageSaysItsKeyAmongTheSubprotocols) {
  DeskBench bench(ctx);
  const std::string key = bench.KeyOf(Role::kViewer);
  const auto offered = co_await bench.Ask(
      "/all", {{"Sec-WebSocket-Protocol", "falconer.stream.1, falconer.key." + key}});
  const auto wrong = co_await bench.Ask(
      "/all", {{"Sec-WebSocket-Protocol", "falconer.stream.1,falconer.key.fk_viewer_00"}});
  const auto none = co_await bench.Ask("/all", {{"Sec-WebSocket-Protocol", "falconer.stream.1"}});
  const auto two = co_await bench.Ask("/all", {{"Authorization", "Bearer wrong"},
                                               {"Sec-WebSocket-Protocol", "falconer.key." + key}});
  EXPECT_EQ(offered.body, "viewer greets");
  EXPECT_EQ(wrong.status, 401);
  EXPECT_EQ(none.status, 401);
  EXPECT_EQ(two.status, 401) << "the header counts where there is one";
}

CO_TEST(FrontDeskTest, ATicketIsGoodWhereThereAreSome) {
  DeskBench bench(ctx);
  const auto good = co_await bench.Ask("/stream/shop?ticket=good");
  const auto bad = co_await bench.Ask("/stream/shop?ticket=bad");
  const auto other = co_await bench.Ask("/stream/bank?ticket=good");
  const auto elsewhere = co_await bench.Ask("/all?ticket=good");
  EXPECT_EQ(good.body, "viewer greets");
  EXPECT_EQ(bad.status, 401);
  EXPECT_EQ(other.status, 401);
  EXPECT_EQ(elsewhere.status, 401);
  co_await bench.Ask("/stream/shop?ticket=worse");
  const auto many = co_await bench.Ask("/stream/shop?ticket=worst");
  EXPECT_EQ(many.status, 429) << "wrong tickets are counted like wrong keys";
}

}  // namespace
}  // namespace falconer::api
