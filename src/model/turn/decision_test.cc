#include "model/turn/decision.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

DecisionOutcome Complete(DecisionKind kind, Emitter emitter, DecisionPhase phase,
                         DecisionScope scope) {
  return {.kind = kind,
          .phase = phase,
          .scope = scope,
          .tenant = TenantId("a"),
          .session = SessionId("s"),
          .turn = TurnId("t"),
          .event_id = "evt/s/t/000001",
          .emitted_by = emitter,
          .authority_epoch = 3,
          .reason = "r"};
}

bool IsARow(const DecisionOutcome& decision) {
  for (const DecisionRule& rule : DecisionRules()) {
    if (rule.kinds.Contains(decision.kind) && rule.emitter == decision.emitted_by &&
        rule.phases.Contains(decision.phase) && rule.scopes.Contains(decision.scope)) {
      return true;
    }
  }
  return false;
}

TEST(DecisionTest, ExactlyTheCombinationsOfTheTableAreValid) {
  std::size_t valid = 0;
  for (const auto& kind : kDecisionKinds) {
    for (const auto& emitter : kEmitters) {
      for (const auto& phase : kDecisionPhases) {
        for (const auto& scope : kDecisionScopes) {
          const auto decision = Complete(kind.value, emitter.value, phase.value, scope.value);
          EXPECT_EQ(decision.Validate().has_value(), IsARow(decision))
              << kind.name << emitter.name << phase.name << scope.name;
          valid += decision.Validate() ? 1U : 0U;
        }
      }
    }
  }
  // 3 kinds x 2 phases x 6 scopes, 3 x 1 x 2 of the cluster, 4 sheds, 2 x 5 stale, 2 x 2 revoked.
  EXPECT_EQ(valid, 36U + 6U + 4U + 10U + 4U);
}

TEST(DecisionTest, AuthorityDecidesWithItsEpochOnly) {
  auto decision = Complete(DecisionKind::kStaleEpochReject, Emitter::kAuthority,
                           DecisionPhase::kPreTurn, DecisionScope::kSession);
  decision.authority_epoch.reset();

  const auto checked = decision.Validate();

  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().details().at("field"), "authority_epoch");
}

}  // namespace
}  // namespace falconer::model
