#pragma once
// Risk: what an action really does, judged at run time from the element it meets, the form it sends
// and the request about to leave. The action's own name and the words of the tables are inputs
// among others. It can only add: nothing a page says makes an action need less than its type does,
// and nothing that is added to a request (members, parameters, comments, other items of a list)
// makes it need less, or makes it less grave. What is sent with another method than GET changes
// something, unless it is proven that it only reads.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/action/keys.h"
#include "model/policy_facts.h"

namespace falconer::policy {

// What the caller does.
struct RiskAction {
  model::ActionType type = model::ActionType::kWaitOnly;
  std::string key;             // of a press
  bool presses_enter = false;  // by what it types: a line end is that key
  std::string question;        // of the dialog that it answers
  bool accepts = false;        // of a dialog
  bool has_modifier = false;   // Control or Meta is held
};

// Whatever is known; before the action there is no request, and a request may come without one.
struct RiskInput {
  std::optional<RiskAction> action;
  std::optional<model::ElementFacts> element;
  std::optional<model::RequestFacts> request;
};

struct RiskReason {
  std::string code;  // stable: "delete_label", "card_in_body", ...
  std::string text;  // for people
  model::RiskLevel level = model::RiskLevel::kLow;
  bool operator==(const RiskReason&) const = default;
};

struct Risk {
  model::RiskLevel level = model::RiskLevel::kLow;
  model::CapabilitySet capabilities;  // that it needs, its type's own included
  std::optional<model::Money> amount;
  std::vector<RiskReason> reasons;  // gravest first

  // {"level","capabilities","amount"?,"reasons":[{"code","text","level"}]}
  json::object ToJson() const;
};

Risk AssessRisk(const RiskInput& input);

// What this adds to the facts of a decision: level, capabilities and amount.
void AddTo(model::PolicyFacts& facts, const Risk& risk);

}  // namespace falconer::policy
