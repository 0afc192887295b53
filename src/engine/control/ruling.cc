#include "engine/control/ruling.h"

#include <algorithm>
#include <utility>

#include "browser/network/request_rule.h"
#include "kernel/gates/policy_notice.h"
#include "kernel/gates/risk_gate.h"
#include "model/url.h"
#include "policy/tokens/constraint_checks.h"

namespace falconer::engine {
namespace {

using model::Capability;
using policy::Effect;

// To look, to go and to touch change nothing by themselves.
constexpr model::CapabilitySet kHarmless = {Capability::kRead, Capability::kNavigate,
                                            Capability::kInteract};

void ApplyToken(const RulingLaw& law, Ruling& ruling) {
  const policy::TokenDemand demand = DemandOf(ruling.asked);
  Result<void> allowed = policy::CheckGrant(law.token, demand, law.proof);
  if (allowed) {
    allowed = policy::CheckConstraints(law.token.claims, demand, ruling.asked.facts.now);
  }
  if (allowed) return;
  ruling.effect = Ruling::Effect::kRefuse;
  ruling.error = allowed.error();
}

// The strictest of several decisions counts.
void ApplyDecision(const policy::PolicyDecision& decision, Ruling& ruling) {
  if (decision.outcome == Effect::kDeny) {
    ruling.effect = Ruling::Effect::kRefuse;
    ruling.rule = decision.rule;
    ruling.error = kernel::DenialError(decision);
  } else if (decision.outcome == Effect::kRequireApproval &&
             ruling.effect != Ruling::Effect::kRefuse) {
    if (ruling.effect == Ruling::Effect::kAllow) ruling.rule = decision.rule;
    AskFor(GroundsOf(ruling.asked.risk, decision), ruling);
  }
}

void AddRates(const std::vector<policy::RateDemand>& more, Ruling& ruling) {
  for (const policy::RateDemand& demand : more) {
    const bool is_new =
        std::ranges::find(ruling.rates, demand.key, &policy::RateDemand::key) == ruling.rates.end();
    if (is_new) ruling.rates.push_back(demand);
  }
}

void ApplyPolicy(const policy::Policy& policy, Ruling& ruling) {
  for (const policy::RuleSet set : ruling.asked.sets) {
    const policy::PolicyDecision decision = policy.Decide(set, ruling.asked.facts);
    ruling.audit.Add(decision.audit);
    ApplyDecision(decision, ruling);
    if (ruling.effect == Ruling::Effect::kRefuse) return;
    if (decision.would_be != Effect::kDeny) AddRates(decision.rate_limits, ruling);
  }
}

// What was approved is neither asked about nor used up a second time.
void TakeAsAnswer(Ruling& ruling) {
  ruling.used_once = {};
  if (ruling.effect != Ruling::Effect::kAsk) return;
  ruling.effect = Ruling::Effect::kAllow;
  ruling.grounds = {};
}

void ApplyRisk(const RulingLaw& law, Ruling& ruling) {
  const bool is_risky = law.ask_from && ruling.asked.risk.level >= *law.ask_from;
  const bool is_asked_again = ruling.asked.again != RulingCase::Again::kNo;
  if ((ruling.asked.has_effect() && is_risky) || is_asked_again)
    AskFor({.risk = ruling.asked.risk, .policies = {}, .terms = std::nullopt}, ruling);
}

// What a page only loads carries nothing away.
bool CarriesAway(const RulingCase& request) {
  const bool is_safe =
      request.facts.request && browser::IsSafeMethod(request.facts.request->method);
  return !is_safe || request.is_place;
}

// What is harmless and allowed, and was asked of no policy and no limit, follows from what it
// needs.
bool NeedsFacts(const RulingLaw& law, const Ruling& ruling) {
  const bool is_harmless = ruling.effect == Ruling::Effect::kAllow && !ruling.asked.has_effect();
  return !is_harmless || law.policy != nullptr || HasLimits(law);
}

void PutCase(const RulingLaw& law, const RulingCase& asked, json::object& out) {
  json::array sets;
  for (const policy::RuleSet set : asked.sets) sets.emplace_back(NameIn(policy::kRuleSets, set));
  out["sets"] = std::move(sets);
  out["facts"] = asked.facts.ToJson();
  out["place"] = asked.is_place;
  if (asked.again != RulingCase::Again::kNo) out["again"] = NameIn(kRulingAgains, asked.again);
  if (law.ask_from) out["ask_from"] = NameIn(model::kRiskLevels, *law.ask_from);
}

// The parts of a ruling that a case is read from; the others are what came of it.
struct CaseFields {
  RulingCase::About about = RulingCase::About::kAction;
  std::vector<std::string> sets;
  bool is_place = true;
  std::optional<RulingCase::Again> again;
  std::optional<model::RiskLevel> ask_from;
};

CaseFields ReadCaseFields(JsonReader& in) {
  return {.about = in.Enum("about", kRulingAbouts),
          .sets = in.Strings("sets"),
          .is_place = in.Bool("place"),
          .again = in.OptionalEnum("again", kRulingAgains),
          .ask_from = in.OptionalEnum("ask_from", model::kRiskLevels)};
}

constexpr std::string_view kCaseFields[] = {"about", "sets", "place", "again", "ask_from"};

}  // namespace

model::CapabilitySet RulingCase::effects() const {
  return risk.capabilities - kHarmless;
}

std::vector<std::string> RulingCase::urls() const {
  std::vector<std::string> urls = {facts.url};
  if (facts.element && !facts.element->frame_url.empty()) urls.push_back(facts.element->frame_url);
  return urls;
}

policy::TokenDemand DemandOf(const RulingCase& asked) {
  policy::TokenDemand demand{.capabilities = asked.risk.capabilities,
                             .urls = {},
                             .amount = asked.risk.amount,
                             .touches_pii = asked.risk.capabilities.Contains(Capability::kPii),
                             .tenant = TenantId(asked.facts.tenant),
                             .agent = AgentId(asked.facts.agent),
                             .use = ""};
  if (asked.is_place || asked.has_effect()) demand.urls = asked.urls();
  return demand;
}

Ruling MakeRuling(const RulingLaw& law, RulingCase asked) {
  Ruling ruling;
  ruling.asked = std::move(asked);
  if (ruling.asked.has_effect())
    ruling.used_once = policy::UsedOnce(ruling.asked.risk.capabilities);
  ApplyToken(law, ruling);
  if (ruling.effect == Ruling::Effect::kRefuse) return ruling;
  if (law.policy != nullptr) ApplyPolicy(*law.policy, ruling);
  if (ruling.asked.again == RulingCase::Again::kAnswered) {
    TakeAsAnswer(ruling);
  } else {
    ApplyRisk(law, ruling);
  }
  return ruling;
}

void AskFor(const ApprovalGrounds& grounds, Ruling& ruling) {
  if (ruling.effect == Ruling::Effect::kRefuse) return;
  if (ruling.effect == Ruling::Effect::kAllow) {
    ruling.effect = Ruling::Effect::kAsk;
    ruling.grounds = grounds;
  } else if (!Tighten(ruling.grounds, grounds)) {
    ruling.effect = Ruling::Effect::kRefuse;
    ruling.error = Error(ErrorCode::kPolicyDenied,
                         "too few people may approve for all rules that ask for approval");
  }
}

void DueWithRequests::TakeFrom(Ruling& of_element) {
  once_ = once_ | std::exchange(of_element.used_once, {});
  if (of_element.effect != Ruling::Effect::kAsk) return;
  const auto rates = std::exchange(of_element.rates, {});
  rates_.insert(rates_.end(), rates.begin(), rates.end());
  approvals_.push_back(of_element.grounds);
  of_element.is_due = true;
  of_element.effect = Ruling::Effect::kAllow;
}

void DueWithRequests::AddTo(Ruling& of_request) const {
  if (!CarriesAway(of_request.asked)) return;
  of_request.used_once = of_request.used_once | once_;
  if (of_request.effect == Ruling::Effect::kRefuse || approvals_.empty()) return;
  AddRates(rates_, of_request);
  for (const ApprovalGrounds& grounds : approvals_) AskFor(grounds, of_request);
  of_request.is_due = true;
}

bool DueWithRequests::Concerns(const RulingCase& request) const {
  return !approvals_.empty() && CarriesAway(request);
}

void DueWithRequests::Owe(const DueWithRequests& earlier) {
  approvals_.insert(approvals_.end(), earlier.approvals_.begin(), earlier.approvals_.end());
  rates_.insert(rates_.end(), earlier.rates_.begin(), earlier.rates_.end());
}

bool HasLimits(const RulingLaw& law) {
  return !policy::ToJson(law.token.claims.constraints).empty();
}

json::object OutcomeJson(const Ruling& ruling) {
  json::object out{{"effect", NameIn(kRulingEffects, ruling.effect)}};
  if (!ruling.rule.empty()) out["rule"] = ruling.rule;
  if (ruling.error) {
    out["code"] = ruling.error->name();
    out["reason"] = ruling.error->message();
  }
  return out;
}

json::object RulingJson(const std::string& id, const RulingLaw& law, const Ruling& ruling) {
  json::object out{{"id", id},
                   {"about", NameIn(kRulingAbouts, ruling.asked.about)},
                   {"host", model::SplitUrl(ruling.asked.facts.url).host},
                   {"risk", ruling.asked.risk.ToJson()}};
  if (NeedsFacts(law, ruling)) PutCase(law, ruling.asked, out);
  if (json::object audit = kernel::AuditOnRecord(ruling.audit); !audit.empty())
    out["audit"] = std::move(audit);
  for (auto& [key, value] : OutcomeJson(ruling)) out[key] = value;
  return out;
}

Result<RecordedCase> ReadCase(const json::object& ruling) {
  const json::value* facts = ruling.if_contains("facts");
  if (facts == nullptr || !ruling.contains("place"))
    return Fail(ErrorCode::kNotFound, "what it was judged by is not on record");
  json::object own;
  for (const std::string_view key : kCaseFields) {
    if (const json::value* value = ruling.if_contains(key)) own[key] = *value;
  }
  TRY_ASSIGN(const CaseFields fields, ReadJson(own, "ruling", ReadCaseFields));
  RecordedCase out{.asked = {.about = fields.about,
                             .is_place = fields.is_place,
                             .again = fields.again.value_or(RulingCase::Again::kNo)},
                   .ask_from = fields.ask_from};
  for (const std::string& name : fields.sets) {
    const auto set = ValueIn(policy::kRuleSets, name);
    if (!set) return Fail(ErrorCode::kInvalidArgument, "ruling.sets: unknown word");
    out.asked.sets.push_back(*set);
  }
  TRY_ASSIGN(out.asked.facts, model::PolicyFacts::FromJson(*facts));
  out.asked.risk = {.level = out.asked.facts.risk,
                    .capabilities = out.asked.facts.capabilities,
                    .amount = out.asked.facts.amount,
                    .reasons = {}};
  return out;
}

}  // namespace falconer::engine
