#pragma once
// Guards a careful author would have written: what to wait for and what to look at after an action
// whose contract says neither. All of them are soft: they tell whether an effect was seen, and
// never fail an action that nobody asked to be checked.

#include <vector>

#include "base/json/json.h"
#include "model/contract/contract.h"

namespace falconer::model {

struct DerivedGuards {
  std::vector<WaitCondition> waits;
  std::vector<VerificationRule> rules;

  bool empty() const { return waits.empty() && rules.empty(); }
  // For the metadata of a result: {"derived": true, "waits": [...], "rules": [...]}.
  json::object Summary() const;
  bool operator==(const DerivedGuards&) const = default;
};

// Nothing when the contract has a guard of its own or only waits. The contract itself, and so its
// action_id, stays what the caller sent. No guard ever holds the text that is typed.
DerivedGuards DeriveGuards(const ActionContract& contract);

}  // namespace falconer::model
