#pragma once
// RuleIndex: which rules of a set can match at all, by capability, action and domain, so that a
// decision looks at few of many. It may name too many rules, never too few.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "policy/rules/fact_view.h"
#include "policy/rules/rule.h"

namespace falconer::policy {

class RuleIndex {
 public:
  explicit RuleIndex(const std::vector<Rule>& rules);

  // Positions of the rules that the domain leaves, in their order.
  std::vector<std::uint32_t> ForDomain(FactView& facts) const;
  // Whether the rule can match when this capability is judged.
  bool CanMatch(std::uint32_t rule, const FactView& facts) const;
  // Whether its condition can come out differently for another capability.
  bool AsksCapability(std::uint32_t rule) const { return reaches_[rule].asks_capability; }

 private:
  // What a condition leaves open.
  struct Reach {
    std::uint32_t capabilities;
    std::uint64_t actions;  // bit by ActionType, and one for no action
    bool asks_capability;
  };
  // Lets a text be looked up without copying it.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  static Reach ReachOf(const Condition& condition);

  std::vector<Reach> reaches_;
  std::vector<std::uint32_t> everywhere_;  // rules without a domain
  // By the host a pattern names or is below of.
  std::unordered_map<std::string, std::vector<std::uint32_t>, TextHash, std::equal_to<>> by_host_;
};

}  // namespace falconer::policy
