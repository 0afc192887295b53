#include "kernel/gates/risk_gate.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/json/json_reader.h"
#include "kernel/gates/policy_notice.h"
#include "kernel/gates/rate_gate.h"
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
// They may name an element, but do nothing to it that it could be asked about.
constexpr ActionType kWithoutMeeting[] = {ActionType::kScroll, ActionType::kExtract,
                                          ActionType::kScreenshot, ActionType::kCustomJsRestricted};

bool IsOneOf(std::span<const ActionType> actions, ActionType action) {
  return std::ranges::find(actions, action) != actions.end();
}

// Whoever only tries meets nothing, and is judged by what he would do.
bool IsDryRun(const GateInput& input) {
  return input.contract != nullptr && IsTrueAt(*input.contract, "dry_run");
}

constexpr EnumName<Asking> kAskings[] = {
    {Asking::kPossible, "possible"},
    {Asking::kNobody, "nobody"},
};

RiskFacts ReadRiskFacts(JsonReader& in) {
  RiskFacts facts{.policy = in.OptionalString("policy").value_or(""),
                  .set = in.Enum("set", policy::kRuleSets),
                  .meets_element = in.Bool("meets_element"),
                  .asking = in.OptionalEnum("asking", kAskings).value_or(Asking::kPossible),
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
                  .asking = input.asking,
                  .facts = {.tenant = input.tenant.value(), .agent = input.agent}};
  facts.facts.url = input.navigate_url.empty() ? input.page_url : input.navigate_url;
  facts.facts.page_url = input.page_url;
  facts.facts.now = std::chrono::floor<std::chrono::milliseconds>(now);
  if (input.began) facts.facts.began = std::chrono::floor<std::chrono::milliseconds>(*input.began);
  if (input.admission != nullptr && input.admission->token)
    facts.facts.agent_tier = input.admission->token->token.claims.tier;
  if (!input.action) return facts;
  facts.set = SetOf(*input.action);
  facts.meets_element = MeetsElement(*input.action) && !IsDryRun(input);
  facts.facts.action = input.action;
  const policy::Risk risk = policy::AssessRisk({.action = policy::RiskAction{.type = *input.action},
                                                .element = std::nullopt,
                                                .request = std::nullopt});
  policy::AddTo(facts.facts, risk);
  return facts;
}

Verdict BeforeApproval(const policy::PolicyDecision& decision, Asking asking) {
  if (asking == Asking::kPossible) return Verdict::Admit("approval_comes_first");
  return Verdict::Reject("approval_needed", Error(ErrorCode::kSecurityApprovalRequired,
                                                  "a person must approve it: send it as an action",
                                                  DenialError(decision).details()));
}

Verdict RiskVerdict(const policy::PolicyDecision& decision, const RiskFacts& facts) {
  const bool is_denied = decision.outcome == Effect::kDeny;
  if (is_denied && (!facts.meets_element || IsCertain(decision)))
    return Verdict::Reject("policy_denied", DenialError(decision));
  if (facts.meets_element) return Verdict::Admit("judged_with_its_element");
  if (decision.outcome == Effect::kRequireApproval) return BeforeApproval(decision, facts.asking);
  const bool is_observed = decision.outcome != decision.would_be;
  return Verdict::Admit(is_observed ? "policy_observes" : "policy_allows");
}

void TellOf(const policy::PolicyDecision& decision, const model::PolicyFacts& facts) {
  PolicyNotice{.audit = decision.audit,
               .facts = facts,
               .effect = NameIn(policy::kEffects, decision.outcome),
               .rule = decision.rule,
               .decision = ""}
      .Tell();
}

}  // namespace

policy::RuleSet SetOf(ActionType action) {
  const auto* row = std::ranges::find(kSets, action, &SetRow::action);
  return row == std::end(kSets) ? RuleSet::kActions : row->set;
}

bool MeetsElement(ActionType action) {
  const bool has_target = model::TraitsOf(action).target_need() != model::TargetNeed::kNone;
  return (has_target && !IsOneOf(kWithoutMeeting, action)) || IsOneOf(kOnFocus, action);
}

Error DenialError(const policy::PolicyDecision& decision) {
  json::object details{{"rule", decision.rule},
                       {"policy", decision.policy},
                       {"policy_version", decision.version},
                       {"capability", model::CapabilityName(decision.capability)}};
  if (json::object audit = AuditOnRecord(decision.audit); !audit.empty())
    details["audit"] = std::move(audit);
  return Error(ErrorCode::kPolicyDenied, decision.reason, std::move(details));
}

json::object RiskFacts::ToJson() const {
  json::object out{{"set", NameIn(policy::kRuleSets, set)}, {"meets_element", meets_element}};
  if (asking != Asking::kPossible) out["asking"] = NameIn(kAskings, asking);
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
  return RiskVerdict(policy->Decide(facts.set, facts.facts), facts);
}

Task<Verdict> RiskGate::Check(CallContext /*ctx*/, const GateInput* input) {
  const auto admitted = source_.PolicyFor(input->tenant);
  const RiskFacts facts = FactsOf(*input, admitted.get(), clock_.WallNow());
  Verdict verdict = Verdict::Admit("no_policy");
  RateClaim claim;
  if (admitted) {
    const policy::PolicyDecision decision = admitted->policy.Decide(facts.set, facts.facts);
    verdict = RiskVerdict(decision, facts);
    // What goes on is told of when it is judged for good.
    if (!verdict.is_admit()) TellOf(decision, facts.facts);
    // What the element may still tell is counted with it.
    claim =
        ClaimBefore(decision, facts.meets_element ? policy::Truth::kTrue : policy::Truth::kUnknown);
  }
  if (input->admission != nullptr) {
    input->admission->policy = admitted;
    input->admission->claim = std::move(claim);
  }
  verdict.facts = facts.ToJson();
  co_return verdict;
}

}  // namespace falconer::kernel
