// Who a policy's rule names hears of what is decided during a turn, once for each rule.

#include <gtest/gtest.h>

#include "base/async/clock.h"
#include "engine/control/turn_control.h"
#include "tests/support/captured_log.h"

namespace falconer::engine {
namespace {

constexpr char kTellSecurity[] = R"(
policy: {name: p, version: "1"}
rules:
  - {name: told, when: always, then: {allow: true, audit: {level: high, notify: [security]}}}
)";

ControlGrounds GroundsFor(std::string_view yaml) {
  policy::VerifiedToken token{.claims = {}, .key_name = "k1", .tenant = TenantId("acme")};
  token.claims.agent = AgentId("tester");
  token.claims.tenant = TenantId("acme");
  token.claims.capabilities = {model::Capability::kRead};
  ControlGrounds grounds;
  grounds.asker.tenant = TenantId("acme");
  grounds.asker.agent_id = "tester";
  grounds.asker.turn = TurnId("t1");
  grounds.action.type = model::ActionType::kExtract;
  grounds.token = kernel::AdmittedToken::Of(std::move(token)).value();
  grounds.policy = kernel::AdmittedPolicy::Of(std::string(yaml)).value();
  return grounds;
}

TEST(TurnNoticeTest, WhatIsDecidedIsToldOnceAndRecordedEachTime) {
  const test::CapturedLog log;
  SystemClock clock;
  TurnControl control(GroundsFor(kTellSecurity), clock);

  const Ruling ruling = control.JudgeAction("https://shop.test/", "");
  control.Note(ruling);
  control.Note(ruling);

  EXPECT_EQ(ruling.effect, Ruling::Effect::kAllow);
  EXPECT_EQ(log.CountOf({"policy.notify", "security", "\"allow\"", "t1/r1", "shop.test"}), 1U);
  EXPECT_EQ(log.CountOf({"policy.notify"}), 1U);
  ASSERT_EQ(control.rulings().size(), 2U);
  EXPECT_EQ(json::serialize(control.rulings()[1].at("audit")),
            R"({"level":"high","notify":["security"]})");
}

}  // namespace
}  // namespace falconer::engine
