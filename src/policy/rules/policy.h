#pragma once
// Policy: a policy ready to decide. Immutable, so that any number of threads may ask it; a reload
// makes a new one. docs/policy.md is the guide to the language.

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "policy/rules/evaluate.h"
#include "policy/rules/policy_decision.h"
#include "policy/rules/policy_document.h"
#include "policy/rules/rule_index.h"

namespace falconer::policy {

inline constexpr std::string_view kZoneFolder = "/usr/share/zoneinfo";

// One rule and why it matched or not, for one capability.
struct RuleTrace {
  std::string rule;
  Effect effect = Effect::kNone;
  model::Capability capability = model::Capability::kRead;
  ConditionTrace when;

  json::object ToJson() const;
};

struct Explanation {
  PolicyDecision decision;
  std::vector<RuleTrace> rules;  // all of the set, in order, once per capability

  json::object ToJson() const;
};

class Policy {
 public:
  // Fails with kInvalidArgument for the first thing that is wrong, with line, column and path in
  // message and details; nothing of an invalid policy is used.
  static Result<Policy> Parse(std::string_view yaml,
                              const std::filesystem::path& zones = kZoneFolder);
  // The same from a file; its name is in front of the message. kNotFound and kIoError for the file.
  static Result<Policy> Load(const std::filesystem::path& file,
                             const std::filesystem::path& zones = kZoneFolder);

  PolicyDecision Decide(RuleSet set, const model::PolicyFacts& facts) const;
  // The same decision with every condition of every rule; for people, and slower.
  Explanation Explain(RuleSet set, const model::PolicyFacts& facts) const;

  const PolicyDocument& document() const { return document_; }
  // SHA-256 in hex over the canonical form of what the policy says: layout and comments change
  // nothing.
  const std::string& digest() const { return digest_; }

 private:
  explicit Policy(PolicyDocument document);
  PolicyDecision NewDecision(RuleSet set) const;
  const std::vector<Rule>& RulesOf(RuleSet set) const;

  PolicyDocument document_;
  std::array<RuleSet, kRuleSetCount> used_{};  // by RuleSet
  std::vector<RuleIndex> indexes_;             // by RuleSet
  std::string digest_;
};

}  // namespace falconer::policy
