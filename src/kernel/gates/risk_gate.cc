#include "kernel/gates/risk_gate.h"

#include <algorithm>
#include <utility>

#include "base/json/json_reader.h"
#include "policy/risk/risk.h"

namespace falconer::kernel {
namespace {

using model::ActionType;
using policy::Effect;
using policy::RuleSet;

struct SetRow {
  ActionType action;
  RuleSet set;
};

// All others are decided by the rules for actions.
constexpr SetRow kSets[] = {
    {ActionType::kNavigate, RuleSet::kNavigate},
    {ActionType::kNewTab, RuleSet::kNavigate},
    {ActionType::kUpload, RuleSet::kUpload},
    {ActionType::kDownloadTrigger, RuleSet::kDownload},
};

// They act on what has the focus.
constexpr ActionType kOnFocus[] = {ActionType::kPress, ActionType::kType};

RiskFacts ReadRiskFacts(JsonReader& in) {
  RiskFacts facts{.policy = in.OptionalString("policy").value_or(""),
                  .set = in.Enum("set", policy::kRuleSets),
                  .meets_element = in.Bool("meets_element"),
                  .facts = {}};
  if (facts.policy.empty()) return facts;
  auto read = model::PolicyFacts::FromJson(in.RawObject("facts"));
  if (read) {
    facts.facts = *std::move(read);
  } else {
    in.Reject(read.error());
  }
  return facts;
}

// A rule that surely holds says no; nothing that is learned later changes that.
bool IsCertain(const policy::PolicyDecision& decision) {
  return std::ranges::any_of(decision.matched, [&](const policy::MatchedRule& rule) {
    return rule.name == decision.rule && rule.effect == Effect::kDeny &&
           rule.truth == policy::Truth::kTrue;
  });
}

RiskFacts FactsOf(const GateInput& input, const AdmittedPolicy* admitted, WallTime now) {
  RiskFacts facts{.policy = admitted != nullptr ? admitted->digest : "",
                  .set = RuleSet::kActions,
                  .meets_element = false,
                  .facts = {.tenant = input.tenant.value(), .agent = input.agent}};
  facts.facts.url = input.navigate_url.empty() ? input.page_url : input.navigate_url;
  facts.facts.page_url = input.page_url;
  facts.facts.now = std::chrono::floor<std::chrono::milliseconds>(now);
  if (!input.action) return facts;
  facts.set = SetOf(*input.action);
  facts.meets_element = MeetsElement(*input.action);
  facts.facts.action = input.action;
  const policy::Risk risk = policy::AssessRisk({.action = policy::RiskAction{.type = *input.action},
                                                .element = std::nullopt,
                                                .request = std::nullopt});
  policy::AddTo(facts.facts, risk);
  return facts;
}

}  // namespace

policy::RuleSet SetOf(ActionType action) {
  const auto* row = std::ranges::find(kSets, action, &SetRow::action);
  return row == std::end(kSets) ? RuleSet::kActions : row->set;
}

bool MeetsElement(ActionType action) {
  const bool has_target = model::TraitsOf(action).target_need() != model::TargetNeed::kNone;
  return has_target || std::ranges::find(kOnFocus, action) != std::end(kOnFocus);
}

Error DenialError(const policy::PolicyDecision& decision) {
  return Error(ErrorCode::kPolicyDenied, decision.reason,
               {{"rule", decision.rule},
                {"policy", decision.policy},
                {"policy_version", decision.version},
                {"capability", model::CapabilityName(decision.capability)}});
}

json::object RiskFacts::ToJson() const {
  json::object out{{"set", NameIn(policy::kRuleSets, set)}, {"meets_element", meets_element}};
  // Where there is no policy, nothing was asked of them.
  if (policy.empty()) return out;
  out["policy"] = policy;
  out["facts"] = facts.ToJson();
  return out;
}

Result<RiskFacts> RiskFacts::FromJson(const json::object& object) {
  return ReadJson(object, "facts", ReadRiskFacts);
}

Verdict DecideRisk(const policy::Policy* policy, const RiskFacts& facts) {
  if (policy == nullptr) return Verdict::Admit("no_policy");
  const policy::PolicyDecision decision = policy->Decide(facts.set, facts.facts);
  const bool is_denied = decision.outcome == Effect::kDeny;
  if (is_denied && (!facts.meets_element || IsCertain(decision)))
    return Verdict::Reject("policy_denied", DenialError(decision));
  if (facts.meets_element) return Verdict::Admit("judged_with_its_element");
  if (decision.outcome == Effect::kRequireApproval) return Verdict::Admit("approval_comes_first");
  const bool is_observed = decision.outcome != decision.would_be;
  return Verdict::Admit(is_observed ? "policy_observes" : "policy_allows");
}

Task<Verdict> RiskGate::Check(CallContext /*ctx*/, const GateInput* input) {
  const auto admitted = source_.PolicyFor(input->tenant);
  if (input->admission != nullptr) input->admission->policy = admitted;
  const RiskFacts facts = FactsOf(*input, admitted.get(), clock_.WallNow());
  Verdict verdict = DecideRisk(admitted ? &admitted->policy : nullptr, facts);
  verdict.facts = facts.ToJson();
  co_return verdict;
}

}  // namespace falconer::kernel
