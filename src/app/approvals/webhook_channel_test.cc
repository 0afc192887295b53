#include "app/approvals/webhook_channel.h"

#include "base/hmac.h"
#include "net/http_server.h"
#include "tests/support/captured_log.h"
#include "tests/support/co_test.h"
#include "tests/support/sample_approval.h"

namespace falconer::app {
namespace {

using namespace std::chrono_literals;

// Somebody who is told.
class Listener {
 public:
  explicit Listener(const CallContext& ctx)
      : server_(ctx.executor(), ctx.clock(),
                [this](net::HttpRequest request) { return Hear(std::move(request)); }) {
    EXPECT_TRUE(server_.Listen());
  }

  Task<net::HttpResponse> Hear(net::HttpRequest request) {
    heard.push_back(std::move(request));
    const std::size_t at = heard.size() - 1;
    co_return net::TextResponse(at < answers.size() ? answers[at] : 200, "text/plain", "");
  }
  WebhookConfig Config() const {
    return {.url = "http://127.0.0.1:" + std::to_string(server_.port()) + "/hook",
            .secret = "very secret",
            .pauses = {1ms, 1ms},
            .timeout = 5s};
  }
  Task<void> Stop(CallContext ctx) { return server_.Stop(std::move(ctx)); }

  std::vector<net::HttpRequest> heard;
  std::vector<int> answers;

 private:
  net::HttpServer server_;
};

CO_TEST(WebhookChannelTest, TellsWhatIsAskedAndHowItEndedWithASignature) {
  Listener listener(ctx);
  WebhookChannel channel(ctx.executor(), ctx.clock(), listener.Config());
  const model::ApprovalRequest request = test::SampleApproval(ctx.clock().WallNow());
  channel.Announce(request);
  channel.Ended({.request = request, .state = model::ApprovalState::kDenied});
  co_await channel.Stop(ctx.WithTimeout(10s));
  co_await listener.Stop(ctx);

  EXPECT_EQ(channel.delivered(), 2U);
  EXPECT_EQ(listener.heard.size(), 2U);
  for (const net::HttpRequest& told : listener.heard) {
    EXPECT_EQ(told.method, "POST");
    EXPECT_EQ(told.headers.Find("Content-Type"), "application/json");
    const std::string sign(told.headers.Find(kSignatureHeader).value_or(""));
    const std::size_t comma = sign.find(",v1=");
    const std::string at = sign.substr(2, comma - 2);
    EXPECT_TRUE(sign.starts_with("t=")) << sign;
    EXPECT_EQ(sign.substr(comma + 4), HmacSha256Hex("very secret", at + "." + told.body));
    const auto body = ParseJsonObject(told.body);
    EXPECT_TRUE(body && TextAt(*body, "event").starts_with("approval."));
    const json::object& approval = body->at("approval").as_object();
    EXPECT_EQ(TextAt(approval, "request_id"), request.request_id);
    EXPECT_FALSE(approval.contains("call")) << "what is inside stays inside";
    EXPECT_FALSE(approval.contains("owner"));
  }
}

CO_TEST(WebhookChannelTest, TriesAgainWhereThatMayHelp) {
  Listener listener(ctx);
  listener.answers = {503, 429, 204};
  WebhookChannel channel(ctx.executor(), ctx.clock(), listener.Config());
  channel.Announce(test::SampleApproval(ctx.clock().WallNow()));
  co_await channel.Stop(ctx.WithTimeout(10s));
  co_await listener.Stop(ctx);
  EXPECT_EQ(listener.heard.size(), 3U);
  EXPECT_EQ(channel.delivered(), 1U);
  EXPECT_EQ(listener.heard.at(0).body, listener.heard.at(2).body) << "the same delivery";
}

CO_TEST(WebhookChannelTest, GivesUpWhereItDoesNotHelp) {
  const test::CapturedLog log;
  Listener listener(ctx);
  listener.answers = {410};
  WebhookChannel channel(ctx.executor(), ctx.clock(), listener.Config());
  channel.Announce(test::SampleApproval(ctx.clock().WallNow()));
  co_await channel.Stop(ctx.WithTimeout(10s));
  EXPECT_EQ(listener.heard.size(), 1U);
  EXPECT_EQ(channel.failed(), 1U);

  listener.answers = {500, 500, 500, 500, 500};
  listener.heard.clear();
  WebhookChannel stubborn(ctx.executor(), ctx.clock(), listener.Config());
  stubborn.Announce(test::SampleApproval(ctx.clock().WallNow()));
  co_await stubborn.Stop(ctx.WithTimeout(10s));
  EXPECT_EQ(listener.heard.size(), 3U) << "the first and two more";
  EXPECT_EQ(stubborn.failed(), 1U);
  co_await listener.Stop(ctx);
}

// Waits until it is cancelled.
Task<Result<net::HttpReply>> NeverAnswers(CallContext ctx, net::HttpCall /*call*/) {
  Alarm never(ctx.executor(), ctx.clock());
  CO_TRY(co_await ctx.Wait(&never, "an answer"));
  co_return net::HttpReply{};
}

CO_TEST(WebhookChannelTest, NeverBlocksAndNeverPilesUp) {
  const test::CapturedLog log;
  WebhookConfig config{.url = "http://127.0.0.1/", .secret = "s", .most = 3};
  WebhookChannel channel(ctx.executor(), ctx.clock(), config, NeverAnswers);
  for (int i = 0; i < 5; ++i) channel.Announce(test::SampleApproval(ctx.clock().WallNow()));
  EXPECT_EQ(channel.failed(), 2U) << "too many at once are dropped";
  co_await channel.Stop(ctx.WithTimeout(10ms));
  EXPECT_EQ(channel.delivered(), 0U);
  EXPECT_EQ(channel.failed(), 5U);
}

TEST(WebhookChannelConfigTest, WantsAnAddressThatKeepsSecretsAndAKey) {
  struct Case {
    std::string_view url;
    std::string_view secret;
    std::string_view wrong;  // the setting; "" when it is fine
  };
  constexpr Case kCases[] = {
      {"https://ops.example/hook", "s", ""},
      {"http://127.0.0.1:8080/hook", "s", ""},
      {"http://localhost/hook", "s", ""},
      {"http://ops.example/hook", "s", "approvals.webhook"},
      {"ftp://ops.example/", "s", "approvals.webhook"},
      {"https://user:pw@ops.example/", "s", "approvals.webhook"},
      {"ops.example", "s", "approvals.webhook"},
      {"https://ops.example/hook", "", "approvals.webhook_secret"},
  };
  for (const Case& c : kCases) {
    Settings settings;
    settings.approvals.webhook = c.url;
    settings.approvals.webhook_secret = c.secret;
    const auto config = WebhookFrom(settings);
    EXPECT_EQ(config.has_value(), c.wrong.empty()) << c.url;
    if (!config) EXPECT_EQ(TextAt(config.error().details(), "setting"), c.wrong) << c.url;
  }
  EXPECT_EQ(WebhookFrom(Settings{}), std::nullopt);
}

}  // namespace
}  // namespace falconer::app
