#pragma once
// QuotaGate: does the tenant have a session and an action left? Counts the action if it does, in
// the same step; Admission::action gives it back unless the turn is opened. Says in
// Admission::quota which limits are in force for the turn.

#include "kernel/gates/gate.h"
#include "store/quota_store.h"

namespace falconer::kernel {

struct QuotaFacts {
  std::uint64_t sessions = 0;  // of the tenant, that came before this one
  std::uint64_t max_sessions = 0;
  std::chrono::milliseconds session_wait{0};
  std::uint64_t actions = 0;  // of the tenant, in the last minute
  std::uint64_t max_actions = 0;
  std::chrono::milliseconds action_wait{0};
  std::string error;  // the name of what kept everybody from knowing

  json::object ToJson() const;
  // kInvalidArgument for what ToJson never writes.
  static Result<QuotaFacts> FromJson(const json::object& object);
};

// The gate's verdict without its facts: defers with kQuotaSessionLimit or kQuotaActionRate and the
// time after which asking again makes sense.
Verdict DecideQuota(const QuotaFacts& facts);

class QuotaGate final : public Gate {
 public:
  // `defaults` holds for tenants that have no limits of their own. The store must outlive this, and
  // every Admission.
  QuotaGate(store::QuotaStore& store, const model::TenantQuota& defaults)
      : store_(store), defaults_(defaults) {}
  std::string_view name() const override { return "quota"; }
  Task<Verdict> Check(CallContext ctx, const GateInput* input) override;

 private:
  Task<Result<store::QuotaAnswer>> Ask(store::LeaseKey key);

  store::QuotaStore& store_;
  model::TenantQuota defaults_;
};

}  // namespace falconer::kernel
