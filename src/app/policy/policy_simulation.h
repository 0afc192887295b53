#pragma once
// PolicySimulation: what a policy would have said about the turns on record. Asked are the facts
// that were recorded with each turn: about the action before it began, the elements it met and the
// requests that were judged one by one. A request that nobody judged by itself is not on record.

#include <map>
#include <string>
#include <vector>

#include "ledger/reader.h"
#include "policy/rules/policy.h"

namespace falconer::app {

// A turn, or a contract that was refused, and the strictest thing the policy says about it.
struct SimulatedTurn {
  std::uint64_t seq = 0;
  std::string workflow;
  std::string agent;
  std::string action;
  std::string host;
  std::string happened;  // "opened", "refused"
  policy::Effect would_be = policy::Effect::kAllow;
  std::string about;  // "action", "element", "request": what decided
  std::string rule;
  std::string reason;

  json::object ToJson() const;
};

class PolicySimulation {
 public:
  // The policy must outlive this.
  explicit PolicySimulation(const policy::Policy& policy) : policy_(policy) {}

  // Everything in the chain. kIoError, kLedgerDamaged.
  Result<void> Run(ledger::ChainReader& reader, const TenantId& tenant);

  const std::vector<SimulatedTurn>& turns() const { return turns_; }
  std::size_t CountOf(policy::Effect effect) const;

 private:
  void Take(const ledger::RecordView& record, const TenantId& tenant);
  void Open(SimulatedTurn turn, const TenantId& tenant, const json::object& payload);
  void Close(const json::object& payload);
  void Ask(SimulatedTurn& turn, std::string_view about, policy::RuleSet set,
           const model::PolicyFacts& facts) const;

  const policy::Policy& policy_;
  std::vector<SimulatedTurn> turns_;
  // The newest turn by its id, for what is recorded at its end.
  std::map<std::string, std::size_t, std::less<>> by_turn_;
};

}  // namespace falconer::app
