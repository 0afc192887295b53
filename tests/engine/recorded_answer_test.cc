// Who may have the answer of a turn that somebody had before.

#include "model/url.h"
#include "tests/support/control_bench.h"

namespace falconer::test {
namespace {

engine::Caller Without(engine::Caller caller) {
  caller.token.clear();
  return caller;
}

engine::Caller LimitedTo(ControlBench& test, std::string_view host) {
  auto constraints =
      policy::ParseTokenConstraints(json::object{{"domains", json::array{std::string(host)}}});
  return test.bench.control().CallerWith(
      "acme", "tester",
      {.capabilities = kOrdinaryRights, .constraints = std::move(constraints).value()});
}

BROWSER_TEST(RecordedAnswerTest, WhoMayNotHaveItCarriedOutIsNotToldWhatCameOfIt) {
  ControlBench test(t);
  ControlKit& kit = test.bench.control();
  co_await test.OpenStore();
  const std::string click = TurnStep(1, ClickOn("#more"));
  const engine::Caller owner = kit.CallerWith("acme", "tester", {.capabilities = kOrdinaryRights});
  const std::string first = co_await test.SendAs(owner, click);
  engine::Caller disguised = kit.Caller("acme", "other");
  disguised.agent = "tester";
  const engine::Caller revoked = kit.Caller("acme", "revoked");
  co_await kit.Revoke("revoked");

  const auto no_token = co_await test.As(Without(owner), click);
  const auto of_other = co_await test.As(disguised, click);
  const auto is_revoked = co_await test.As(revoked, click);
  const auto too_little = co_await test.As(model::CapabilitySet{model::Capability::kRead}, click);
  const auto elsewhere = co_await test.As(LimitedTo(test, "shop.example"), click);

  EXPECT_EQ(FailureIn(no_token), "TOKEN_INVALID") << json::serialize(no_token.ToJson());
  EXPECT_EQ(FailureIn(of_other), "TOKEN_INVALID") << json::serialize(of_other.ToJson());
  EXPECT_EQ(FailureIn(is_revoked), "TOKEN_REVOKED") << json::serialize(is_revoked.ToJson());
  EXPECT_EQ(FailureIn(too_little), "CAPABILITY_MISSING") << json::serialize(too_little.ToJson());
  EXPECT_EQ(FailureIn(elsewhere), "CONSTRAINT_VIOLATED") << json::serialize(elsewhere.ToJson());
  for (const auto* refused : {&no_token, &of_other, &is_revoked, &too_little, &elsewhere}) {
    EXPECT_TRUE(refused->turn_id.empty() && !refused->state_delta && !refused->outcome);
    EXPECT_TRUE(refused->ledger) << "a refusal is on record";
  }
  EXPECT_EQ(co_await test.SendAs(owner, click), first) << "a refusal is nobody else's answer";
  EXPECT_EQ(co_await test.bench.Send(click), first) << "another token that allows it will do";
  co_await test.bench.Stop();
  const auto replayed = test.ReplayOf("w1");
  EXPECT_EQ(replayed.status(), engine::ReplayStatus::kReproduced)
      << json::serialize(replayed.ToJson());
  EXPECT_EQ(replayed.turns.size(), 7u);
}

BROWSER_TEST(RecordedAnswerTest, ThePageThatCountsIsTheOneItHappenedIn) {
  ControlBench test(t);
  co_await test.OpenStore();
  const std::string click = TurnStep(1, ClickOn("#more"));
  const std::string first = co_await test.bench.Send(click);
  t.site.Serve("/other", "<h1>Other</h1>");
  co_await test.bench.Execute(TurnStep(
      2, R"({"action_type": "navigate", "url": ")" + t.site.CrossSiteUrl("/other") + R"("})"));
  const std::string shop = model::SplitUrl(t.site.Url("/")).host;
  const std::string other = model::SplitUrl(t.site.CrossSiteUrl("/")).host;

  EXPECT_EQ(co_await test.SendAs(LimitedTo(test, shop), click), first);
  const auto refused = co_await test.As(LimitedTo(test, other), click);

  EXPECT_NE(shop, other);
  EXPECT_EQ(FailureIn(refused), "CONSTRAINT_VIOLATED") << json::serialize(refused.ToJson());
  co_await test.bench.Stop();
}

BROWSER_TEST(RecordedAnswerTest, WhatMayBeUsedOnceIsNotUsedAgainByAskingAgain) {
  ControlBench test(t);
  co_await test.OpenStore();
  const engine::Caller buyer = test.bench.control().Caller();
  const std::string buy = TurnStep(1, ClickOn("#buy"));

  const std::string bought = co_await test.SendAs(buyer, buy);
  const std::string again = co_await test.SendAs(buyer, buy);

  EXPECT_TRUE(bought.contains("\"success\":true")) << bought;
  EXPECT_EQ(again, bought) << "the same token for the same contract is no replay";
  EXPECT_EQ(t.site.RequestCount("/effect"), 1u);
  co_await test.bench.Stop();
}

BROWSER_TEST(RecordedAnswerTest, WhoMayNotHaveAnAnswerDoesNotWaitForItEither) {
  ControlBench test(t);
  ControlKit& kit = test.bench.control();
  co_await test.OpenStore();
  const std::string buy = TurnStep(1, ClickOn("#buy"));
  t.site.Hold("/effect");
  InBackground buying(t.ctx.executor(), test.SendAs(kit.Caller(), buy));
  const CallContext ctx = t.ctx.WithTimeout(kLongPatience);
  EXPECT_TRUE(co_await t.site.UntilRequests(ctx, "/effect", 1));
  InBackground joining(t.ctx.executor(), test.SendAs(kit.Caller(), buy));
  InBackground losing(t.ctx.executor(), test.As(kit.Caller("acme", "rogue"), buy));

  const auto refused = co_await test.As(Without(kit.Caller()), buy);
  EXPECT_EQ(FailureIn(refused), "TOKEN_INVALID") << json::serialize(refused.ToJson());
  EXPECT_FALSE(buying.is_done());
  EXPECT_FALSE(joining.is_done());
  EXPECT_FALSE(losing.is_done());
  co_await kit.Revoke("rogue");
  t.site.Release("/effect");
  const std::string bought = co_await buying.Join();

  EXPECT_EQ(co_await joining.Join(), bought);
  const auto lost = co_await losing.Join();
  EXPECT_EQ(FailureIn(lost), "TOKEN_REVOKED") << "while it waited";
  EXPECT_EQ(t.site.RequestCount("/effect"), 1u);
  co_await test.bench.Stop();
}

}  // namespace
}  // namespace falconer::test
