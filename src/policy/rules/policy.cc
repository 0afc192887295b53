#include "policy/rules/policy.h"

#include <utility>

#include "base/file.h"
#include "base/json/canonical_json.h"
#include "base/sha256.h"
#include "policy/rules/decision_maker.h"
#include "policy/rules/yaml_tree.h"

namespace falconer::policy {
namespace {

constinit const std::vector<Rule> kNoRules;

// What is judged: what is needed, or reading when nothing is said.
std::vector<model::Capability> NeededBy(const model::PolicyFacts& facts) {
  std::vector<model::Capability> needed;
  for (const auto& row : model::kCapabilities) {
    if (facts.capabilities.Contains(row.value)) needed.push_back(row.value);
  }
  if (needed.empty()) needed.push_back(model::Capability::kRead);
  return needed;
}

// Finds the rules that match, capability by capability.
class RuleSearch {
 public:
  RuleSearch(const std::vector<Rule>& rules, const RuleIndex& index, FactView& view)
      : rules_(rules), index_(index), view_(view) {
    for (const std::uint32_t position : index.ForDomain(view)) {
      candidates_.push_back({.position = position, .known = std::nullopt});
    }
  }

  // Those for the capability that the view is set to, in the order of the policy.
  const std::vector<RuleHit>& Find() {
    hits_.clear();
    for (Candidate& candidate : candidates_) {
      if (!index_.CanMatch(candidate.position, view_)) continue;
      const Truth truth = TruthOfRule(candidate);
      if (truth == Truth::kFalse) continue;
      hits_.push_back(
          {.rule = &rules_[candidate.position], .position = candidate.position, .truth = truth});
    }
    return hits_;
  }

 private:
  struct Candidate {
    std::uint32_t position;
    std::optional<Truth> known;  // when it is the same for every capability
  };

  Truth TruthOfRule(Candidate& candidate) {
    if (candidate.known) return *candidate.known;
    const Truth truth = Evaluate(rules_[candidate.position].when, view_);
    if (!index_.AsksCapability(candidate.position)) candidate.known = truth;
    return truth;
  }

  const std::vector<Rule>& rules_;
  const RuleIndex& index_;
  FactView& view_;
  std::vector<Candidate> candidates_;
  std::vector<RuleHit> hits_;
};

}  // namespace

Policy::Policy(PolicyDocument document) : document_(std::move(document)) {
  for (const auto& [set, name] : kRuleSets) {
    used_[std::to_underlying(set)] = FollowedBy(set, document_);
    const auto& rules = document_.sets[std::to_underlying(set)];
    indexes_.emplace_back(rules ? *rules : kNoRules);
  }
}

Result<Policy> Policy::Parse(std::string_view yaml, const std::filesystem::path& zones) {
  TRY_ASSIGN(PolicyDocument document, PolicyDocument::Parse(yaml, zones));
  Policy policy(std::move(document));
  TRY_ASSIGN(const std::string canonical, CanonicalJson(policy.document_.ToJson()));
  policy.digest_ = Sha256Hex(canonical);
  return policy;
}

Result<Policy> Policy::Load(const std::filesystem::path& file, const std::filesystem::path& zones) {
  TRY_ASSIGN(const std::string text, ReadFile(file, kMaxPolicyBytes + 1));
  auto policy = Parse(text, zones);
  if (!policy) return std::unexpected(std::move(policy).error().In(file.string()));
  return policy;
}

const std::vector<Rule>& Policy::RulesOf(RuleSet set) const {
  const auto& rules = document_.sets[std::to_underlying(set)];
  return rules ? *rules : kNoRules;
}

PolicyDecision Policy::NewDecision(RuleSet set) const {
  PolicyDecision decision;
  decision.mode = document_.mode;
  decision.set = set;
  decision.used = used_[std::to_underlying(set)];
  decision.audit = document_.audit;
  decision.policy = document_.name;
  decision.version = document_.version;
  decision.digest = digest_;
  return decision;
}

PolicyDecision Policy::Decide(RuleSet set, const model::PolicyFacts& facts) const {
  FactView view(facts, document_.zones);
  const RuleSet used = used_[std::to_underlying(set)];
  const std::vector<Rule>& rules = RulesOf(used);
  DecisionMaker maker(view, NewDecision(set), rules.size());
  for (const std::string_view place : FactView::PlacesOf(facts)) {
    view.set_place(place);
    RuleSearch search(rules, indexes_[std::to_underlying(used)], view);
    for (const model::Capability capability : NeededBy(facts)) {
      view.set_capability(capability);
      maker.Judge(search.Find());
    }
  }
  return std::move(maker).Take();
}

Explanation Policy::Explain(RuleSet set, const model::PolicyFacts& facts) const {
  Explanation out{.decision = Decide(set, facts), .rules = {}};
  FactView view(facts, document_.zones);
  for (const std::string_view place : FactView::PlacesOf(facts)) {
    view.set_place(place);
    for (const model::Capability capability : NeededBy(facts)) {
      view.set_capability(capability);
      for (const Rule& rule : RulesOf(used_[std::to_underlying(set)])) {
        out.rules.push_back({.rule = rule.name,
                             .effect = rule.effect,
                             .capability = capability,
                             .when = TraceOf(rule.when, view)});
      }
    }
  }
  return out;
}

json::object RuleTrace::ToJson() const {
  return {{"rule", rule},
          {"effect", NameIn(kEffects, effect)},
          {"capability", model::CapabilityName(capability)},
          {"when", when.ToJson()}};
}

json::object Explanation::ToJson() const {
  json::array traces;
  for (const RuleTrace& trace : rules) traces.push_back(trace.ToJson());
  return {{"decision", decision.ToJson()}, {"rules", std::move(traces)}};
}

}  // namespace falconer::policy
