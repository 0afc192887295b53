#include "agent/jobs/callback_desk.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "base/hmac.h"
#include "net/http_server.h"
#include "net/https_client.h"
#include "tests/support/co_test.h"

namespace falconer::agent {
namespace {

using namespace std::chrono_literals;
using store::CallbackState;

Task<Result<policy::SecretText>> GiveKey(policy::SecretReference reference) {
  if (reference.name != "hook") co_return Fail(ErrorCode::kNotFound, "there is no such secret");
  co_return policy::SecretText("the key of " + reference.name + "/" + reference.field);
}

// Somebody who is called back, and how.
struct CallbackBench {
  explicit CallbackBench(const CallContext& ctx)
      : server(ctx.executor(), ctx.clock(),
               [this](net::HttpRequest request) { return Hear(std::move(request)); }) {
    EXPECT_TRUE(server.Listen());
  }
  Task<net::HttpResponse> Hear(net::HttpRequest request) {
    heard.push_back(std::move(request));
    co_return net::TextResponse(answer, "text/plain", "");
  }
  CallbackDesk Desk(CallbackDesk::Send send = nullptr, std::string key = "hook:key") const {
    if (!send) {
      send = [](CallContext with, net::HttpCall call) {
        return net::SendWeb(std::move(with), std::move(call));
      };
    }
    return {[](CallContext, policy::SecretReference reference, const std::string&) {
              return GiveKey(std::move(reference));
            },
            std::move(send),
            {.key = std::move(key)}};
  }
  store::JobRecord Job(std::size_t tries = 0) const {
    store::JobRecord job{
        .id = "job_1", .tenant = TenantId("acme"), .type = "crawl_url", .input = {}};
    job.state = store::JobState::kFailed;
    job.outcome.problem = Error(ErrorCode::kTimeout, "too slow");
    job.callback = {.url = "http://127.0.0.1:" + std::to_string(server.port()) + "/hook",
                    .secret = "hook:key",
                    .state = CallbackState::kWaiting,
                    .tries = std::vector<store::CallbackTry>(tries)};
    return job;
  }

  net::HttpServer server;
  std::vector<net::HttpRequest> heard;
  int answer = 200;
};

CO_TEST(CallbackDeskTest, TellsTheEndWithASignatureThatItsReceiverCanCheck) {
  CallbackBench bench(ctx);
  const auto note = co_await bench.Desk().Try(ctx, bench.Job());
  EXPECT_TRUE(note && note->state == CallbackState::kDelivered && note->tried.status == 200);
  EXPECT_EQ(bench.heard.size(), 1U);
  const net::HttpRequest& told = bench.heard.at(0);
  EXPECT_EQ(told.method, "POST");
  const std::string sign(told.headers.Find(kCallbackSignature).value_or(""));
  const std::size_t comma = sign.find(",v1=");
  EXPECT_EQ(sign.substr(comma + 4),
            HmacSha256Hex("the key of hook/key", sign.substr(2, comma - 2) + "." + told.body));
  const auto body = ParseJsonObject(told.body);
  EXPECT_TRUE(body);
  EXPECT_EQ(TextAt(*body, "job"), "job_1");
  EXPECT_EQ(TextAt(*body, "type"), "crawl_url");
  EXPECT_EQ(TextAt(*body, "status"), "failed");
  EXPECT_EQ(TextAt(*body, "code"), "TIMEOUT");
  EXPECT_EQ(TextAt(*body, "result"), "/v1/jobs/job_1/result");
  co_await bench.server.Stop(ctx);
}

CO_TEST(CallbackDeskTest, TriesAgainEverLaterWhereThatMayHelpAndGivesUpAtLast) {
  CallbackBench bench(ctx);
  bench.answer = 503;
  const CallbackDesk desk = bench.Desk();
  for (std::size_t tries = 0; tries < 4; ++tries) {
    const WallTime before = ctx.clock().WallNow();
    const auto note = co_await desk.Try(ctx, bench.Job(tries));
    EXPECT_TRUE(note && note->state == CallbackState::kWaiting);
    const auto pause = std::chrono::milliseconds(2000) * (1 << (2 * tries));
    EXPECT_GE(note->next, before + pause * 3 / 4) << tries;
    EXPECT_LE(note->next, ctx.clock().WallNow() + pause * 5 / 4) << tries;
  }
  const auto last = co_await desk.Try(ctx, bench.Job(4));
  EXPECT_TRUE(last && last->state == CallbackState::kFailed);
  EXPECT_EQ(last->tried.problem, "answered 503");
  bench.answer = 410;
  const auto refused = co_await desk.Try(ctx, bench.Job());
  EXPECT_TRUE(refused && refused->state == CallbackState::kFailed) << "it does not help";
  co_await bench.server.Stop(ctx);
}

Task<Result<net::HttpReply>> NotAllowed() {
  co_return Fail(ErrorCode::kSecurityDomainBlock, "nothing may be sent there");
}

CO_TEST(CallbackDeskTest, WhatIsRefusedIsNotTriedAgainAndWhatIsMissingMayCome) {
  CallbackBench bench(ctx);
  const auto desk = bench.Desk([](CallContext, net::HttpCall) { return NotAllowed(); });
  const auto refused = co_await desk.Try(ctx, bench.Job());
  EXPECT_TRUE(refused && refused->state == CallbackState::kFailed);
  store::JobRecord job = bench.Job();
  job.callback.secret = "other";
  const auto unsigned_yet = co_await desk.Try(ctx, job);
  EXPECT_TRUE(unsigned_yet && unsigned_yet->state == CallbackState::kWaiting);
  EXPECT_TRUE(unsigned_yet->tried.problem.contains("no such secret"));
  EXPECT_TRUE(bench.heard.empty());
  co_await bench.server.Stop(ctx);
}

CO_TEST(CallbackDeskTest, AWishIsCheckedBeforeTheJobIsTaken) {
  CallbackBench bench(ctx);
  const CallbackDesk desk = bench.Desk();
  EXPECT_EQ(desk.Accept({.url = "https://a.test/"})->secret, "hook:key");
  EXPECT_EQ(desk.Accept({.url = "https://a.test/", .secret = "mine"})->secret, "mine");
  EXPECT_EQ(desk.Accept({.url = ""})->url, "");
  for (const char* url : {"file:///etc/passwd", "https://me:pw@a.test/", "about:blank", "nowhere"})
    EXPECT_FALSE(desk.Accept({.url = url})) << url;
  EXPECT_FALSE(desk.Accept({.url = "https://a.test/", .secret = "not a name"}));
  EXPECT_FALSE(bench.Desk(nullptr, "").Accept({.url = "https://a.test/"}))
      << "nothing to sign with";
  co_await bench.server.Stop(ctx);
}

}  // namespace
}  // namespace falconer::agent
