#pragma once
// ControlKit: what decides whether something may happen, for tests of a runtime: real tokens of a
// real key, no policy unless one is given, no limits, and a desk that asks people.

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "app/approvals/store_approval_records.h"
#include "engine/approvals/approval_desk.h"
#include "engine/runtime.h"
#include "kernel/gates/standard_gates.h"
#include "kernel/tokens/store_token_records.h"
#include "store/sqlite_store.h"
#include "tests/support/gate_tokens.h"

namespace falconer::test {

// One policy for everybody; none until one is set.
class FixedPolicy final : public kernel::PolicySource {
 public:
  std::shared_ptr<const kernel::AdmittedPolicy> PolicyFor(const TenantId&) override {
    return policy;
  }
  std::shared_ptr<const kernel::AdmittedPolicy> policy;
};

class ControlKit {
 public:
  // All must outlive the kit.
  ControlKit(const Executor& executor, Clock& clock, store::SqliteStore& store)
      : clock_(clock),
        store_(store),
        verifier_({.default_tenant = TenantId("acme")}, key_, clock),
        token_records_(store),
        tokens_(verifier_, token_records_),
        approval_records_(store),
        approvals_(executor, clock, approval_records_, {.owner = "test:1"},
                   [](TenantId, json::object) -> Task<Result<void>> { co_return Result<void>(); }),
        rates_(store),
        pauses_(executor, clock, store),
        breakers_(store, {}) {}

  kernel::GateList Gates(const kernel::ContractCheck& contract,
                         const kernel::DomainRulesSource& rules, const kernel::EpochGuard& epochs,
                         kernel::LoadMeter& load) {
    return kernel::StandardGates({.clock = clock_,
                                  .contract = contract,
                                  .tokens = tokens_,
                                  .rules = rules,
                                  .policies = policies,
                                  .pauses = store_,
                                  .pause_watch = pauses_,
                                  .quotas = store_,
                                  .quota = NoLimits(),
                                  .rates = rates_,
                                  .breakers = store_,
                                  .breaker = {.threshold = 0},
                                  .owner = "test:1",
                                  .epochs = epochs,
                                  .load = load});
  }
  engine::ControlDesks desks() { return {tokens_, approvals_, rates_, redactor_}; }
  kernel::PauseWatch& pauses() { return pauses_; }
  kernel::BreakerBook& breakers() { return breakers_; }
  engine::ApprovalDesk& approvals() { return approvals_; }

  // Somebody with a token for everything, good for the next few minutes.
  engine::Caller Caller(std::string tenant = "acme", std::string agent = "tester") const {
    return CallerWith(std::move(tenant), std::move(agent), {.capabilities = EveryCapability()});
  }
  // Somebody with a token for this.
  engine::Caller CallerWith(std::string tenant, std::string agent,
                            const policy::TokenGrant& grant) const {
    std::string token = IssueToken(verifier_, key_, clock_, tenant, agent, grant);
    return {.tenant = TenantId(std::move(tenant)),
            .agent = std::move(agent),
            .token = std::move(token)};
  }

  // From now on no token that this agent of acme has is in force.
  Task<void> Revoke(std::string agent) {
    const auto revoked = co_await store_.RevokeIssued(
        {.tenant = TenantId("acme"), .agent = AgentId(std::move(agent)), .reason = "test"});
    EXPECT_TRUE(revoked) << (revoked ? "" : revoked.error().message());
  }

  // From now on nothing is done for anybody.
  Task<void> Pause() {
    const auto paused = co_await store_.OrderPause({.reason = "test", .by = "ann"});
    EXPECT_TRUE(paused) << (paused ? "" : paused.error().message());
  }

  Task<void> Stop() {
    co_await approvals_.Stop();
    co_await pauses_.Stop();
  }

  FixedPolicy policies;

 private:
  static model::TenantQuota NoLimits() {
    model::TenantQuota quota;
    for (const model::QuotaRow& row : model::kQuotaRows) quota.*row.member = 0;
    return quota;
  }

  Clock& clock_;
  store::SqliteStore& store_;
  OneKey key_;
  policy::TokenVerifier verifier_;
  kernel::StoreTokenRecords token_records_;
  policy::TokenGuard tokens_;
  policy::Redactor redactor_;
  app::StoreApprovalRecords approval_records_;
  engine::ApprovalDesk approvals_;
  kernel::RateBook rates_;
  kernel::PauseWatch pauses_;
  kernel::BreakerBook breakers_;
};

}  // namespace falconer::test
