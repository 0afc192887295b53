#pragma once
// What benches of the runtime share: which of their rooms it joins, how those are stopped, and
// rules that are the same for everybody.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/runtime.h"
#include "kernel/gates/domain_gate.h"

namespace falconer::test {

class FixedRules final : public kernel::DomainRulesSource {
 public:
  explicit FixedRules(std::vector<std::string> allow)
      : rules_(std::make_shared<policy::DomainRules>(
            policy::DomainRules::Create({.navigate = {.allow = std::move(allow), .deny = {}}})
                .value())) {}

  std::shared_ptr<const policy::DomainRules> RulesFor(const TenantId& /*tenant*/) const override {
    return rules_;
  }

 private:
  std::shared_ptr<const policy::DomainRules> rules_;
};

// `rooms` has a member for each part, of the same name.
template <typename Rooms>
engine::RuntimeParts PartsOf(Rooms& rooms) {
  return {.sessions = rooms.sessions,
          .leases = rooms.leases,
          .actions = rooms.actions,
          .gates = rooms.gates,
          .ledger = *rooms.ledger,
          .scrubber = rooms.scrubber,
          .epochs = rooms.epochs,
          .index = rooms.index,
          .load = rooms.load,
          .artifacts = rooms.artifacts,
          .control = rooms.control.desks(),
          .pauses = rooms.control.pauses(),
          .breakers = rooms.control.breakers()};
}

inline engine::RuntimeConfig WithPolicy(engine::RuntimeConfig config) {
  config.admission_policy = {{"running", 64}};
  config.policy = {{"execution_profile", "simple"}};
  return config;
}

template <typename Rooms>
Task<void> StopRooms(CallContext ctx, Rooms* rooms) {
  co_await rooms->runtime.Stop(ctx);
  co_await rooms->control.Stop();
  co_await rooms->actions.Stop();
  co_await rooms->leases.Stop();
  co_await rooms->sessions.Stop(ctx);
  co_await rooms->pool.Stop(ctx);
}

}  // namespace falconer::test
