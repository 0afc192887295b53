#pragma once
// DecisionMaker: turns the rules that match into one decision, capability by capability.
//
// For each: deny > require_approval > constrain > allow > denied because nothing allows it. Of the
// capabilities, the strictest answer counts.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "policy/rules/fact_view.h"
#include "policy/rules/policy_decision.h"

namespace falconer::policy {

// A rule of the policy and how its condition came out; never kFalse.
struct RuleHit {
  const Rule* rule = nullptr;
  std::uint32_t position = 0;  // among the rules of its set
  Truth truth = Truth::kTrue;
};

class DecisionMaker {
 public:
  // `facts` MUST outlive the maker; `decision` comes with what is known before any rule, `rules` is
  // how many the set has.
  DecisionMaker(FactView& facts, PolicyDecision decision, std::size_t rules);

  // Judges the capability that the view is set to. `hits` are in the order of the policy.
  void Judge(const std::vector<RuleHit>& hits);
  PolicyDecision Take() &&;

 private:
  struct Answer {
    Effect effect = Effect::kDeny;
    const Rule* rule = nullptr;
    std::string reason;
  };

  Answer AnswerOf(const std::vector<RuleHit>& hits) const;
  void Settle(Answer answer);
  void Record(const RuleHit& hit);
  void AddApproval(const ApprovalTerms& terms);
  void AddConstraints(const ConstraintTerms& terms);
  void AddRateLimit(const RuleHit& hit);
  std::string_view HostText() const;

  FactView& facts_;
  PolicyDecision decision_;
  std::vector<std::uint32_t> places_;  // by position: where in `matched`, plus one
  bool is_first_ = true;
  bool lacks_approver_ = false;
};

}  // namespace falconer::policy
