#include "engine/control/turn_control.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "base/check.h"
#include "kernel/gates/risk_gate.h"
#include "model/url.h"
#include "policy/risk/field_kind.h"
#include "policy/tokens/constraint_checks.h"

namespace falconer::engine {
namespace {

using browser::RequestUse;
using model::ActionType;
using model::Capability;
using policy::Effect;
using policy::RuleSet;

// Most rulings that a turn keeps on record one by one.
constexpr std::size_t kMostRulings = 64;

constexpr ActionType kAskedFirst[] = {ActionType::kUpload, ActionType::kDownloadTrigger,
                                      ActionType::kCustomJsRestricted, ActionType::kPurchase};

// With these held, a key is a command and types nothing.
constexpr model::ModifierSet kCommands = {model::Modifier::kControl, model::Modifier::kMeta};

struct UseRow {
  RequestUse use;
  RuleSet set;
  bool is_document;
};

constexpr UseRow kUses[] = {
    {RequestUse::kNavigation, RuleSet::kNavigate, true},
    {RequestUse::kRedirect, RuleSet::kRedirect, true},
    {RequestUse::kFrame, RuleSet::kConnect, true},
    {RequestUse::kPopup, RuleSet::kNavigate, true},
    {RequestUse::kSubresource, RuleSet::kConnect, false},
    {RequestUse::kDownload, RuleSet::kDownload, true},
};

const UseRow& RowOf(RequestUse use) {
  return *std::ranges::find(kUses, use, &UseRow::use);
}

// To look, to go and to touch change nothing by themselves.
constexpr model::CapabilitySet kHarmless = {Capability::kRead, Capability::kNavigate,
                                            Capability::kInteract};

bool ChangesSomething(const policy::Risk& risk) {
  return !(risk.capabilities - kHarmless).empty();
}

model::RequestFacts FactsOf(const browser::RequestFacts& request) {
  return {.method = request.method,
          .url = request.url,
          .content_type = request.HeaderValue("content-type"),
          .resource_type = request.resource_type,
          .body = request.body,
          .body_bytes = request.body.size()};
}

// The strictest of several decisions counts.
void Settle(const policy::PolicyDecision& decision, const policy::Risk& risk, Ruling& ruling) {
  if (decision.outcome == Effect::kDeny) {
    ruling.effect = Ruling::Effect::kRefuse;
    ruling.rule = decision.rule;
    ruling.error = kernel::DenialError(decision);
  } else if (decision.outcome == Effect::kRequireApproval &&
             ruling.effect == Ruling::Effect::kAllow) {
    ruling.effect = Ruling::Effect::kAsk;
    ruling.rule = decision.rule;
    ruling.grounds = GroundsOf(risk, decision);
  }
}

// For who asks another policy about the same.
void PutFacts(const Ruling& ruling, json::object& out) {
  json::array sets;
  for (const RuleSet set : ruling.sets) sets.emplace_back(NameIn(policy::kRuleSets, set));
  out["sets"] = std::move(sets);
  out["facts"] = ruling.facts.ToJson();
}

}  // namespace

struct TurnControl::Question {
  policy::RiskInput input;
  std::vector<RuleSet> sets;
  std::string url;
  std::string page_url;
  // Whether the token's hosts must cover it: what pages load for themselves is not the agent's.
  bool is_place = true;
};

bool IsAskedFirst(ActionType action) {
  return std::ranges::find(kAskedFirst, action) != std::end(kAskedFirst);
}

policy::RiskAction ActionToJudge(const model::ActionSpec& spec) {
  return {.type = spec.type,
          .key = spec.key.value_or(""),
          .text = "",
          .accepts = spec.dialog && spec.dialog->accept,
          .has_modifier = spec.modifiers.Intersects(kCommands)};
}

TurnControl::TurnControl(ControlGrounds grounds, const Clock& clock)
    : grounds_(std::move(grounds)), clock_(clock) {
  CHECK(grounds_.token, "a turn is admitted by a token");
}

void TurnControl::AskToken(const Question& question, Ruling& ruling) const {
  policy::TokenDemand& demand = ruling.demand;
  demand.capabilities = ruling.risk.capabilities;
  demand.amount = ruling.risk.amount;
  demand.touches_pii = ruling.risk.capabilities.Contains(Capability::kPii);
  demand.tenant = grounds_.asker.tenant;
  demand.agent = AgentId(grounds_.asker.agent_id);
  demand.use = grounds_.contract_digest;
  if (question.is_place || ruling.has_effect) demand.urls = {question.url};
  const policy::VerifiedToken& token = grounds_.token->token;
  Result<void> allowed = policy::CheckGrant(token, demand, grounds_.proof);
  if (allowed) allowed = policy::CheckConstraints(token.claims, demand, clock_.WallNow());
  if (allowed) return;
  ruling.effect = Ruling::Effect::kRefuse;
  ruling.error = allowed.error();
}

model::PolicyFacts TurnControl::FactsFor(const Question& question, const policy::Risk& risk) const {
  model::PolicyFacts facts{.tenant = grounds_.asker.tenant.value(),
                           .agent = grounds_.asker.agent_id};
  facts.action = grounds_.action.type;
  facts.url = question.url;
  facts.page_url = question.page_url;
  facts.now = clock_.WallNow();
  facts.element = question.input.element;
  facts.request = question.input.request;
  policy::AddTo(facts, risk);
  return facts;
}

void TurnControl::AskPolicy(Ruling& ruling) const {
  if (!grounds_.policy) return;
  for (const RuleSet set : ruling.sets) {
    Settle(grounds_.policy->policy.Decide(set, ruling.facts), ruling.risk, ruling);
    if (ruling.effect == Ruling::Effect::kRefuse) return;
  }
}

Ruling TurnControl::Judge(Question question) const {
  Ruling ruling;
  ruling.risk = policy::AssessRisk(question.input);
  ruling.has_effect = ChangesSomething(ruling.risk);
  ruling.used_once =
      ruling.has_effect ? policy::UsedOnce(ruling.risk.capabilities) : model::CapabilitySet{};
  ruling.facts = FactsFor(question, ruling.risk);
  ruling.sets = question.sets;
  AskToken(question, ruling);
  if (ruling.effect == Ruling::Effect::kRefuse) return ruling;
  AskPolicy(ruling);
  const bool is_risky = grounds_.ask_from && ruling.risk.level >= *grounds_.ask_from;
  if (ruling.effect == Ruling::Effect::kAllow && ruling.has_effect && is_risky) {
    ruling.effect = Ruling::Effect::kAsk;
    ruling.grounds = {.risk = ruling.risk, .policies = {}, .terms = std::nullopt};
  }
  return ruling;
}

Ruling TurnControl::JudgeAction(const std::string& page_url, const std::string& target_url) const {
  return Judge(
      {.input = {.action = grounds_.action, .element = std::nullopt, .request = std::nullopt},
       .sets = {kernel::SetOf(grounds_.action.type)},
       .url = target_url.empty() ? page_url : target_url,
       .page_url = page_url});
}

Ruling TurnControl::JudgeElement(model::ElementFacts element, const std::string& page_url) {
  if (element.form) policy::ClassifyFields(*element.form);
  Ruling ruling = Judge(
      {.input = {.action = grounds_.action, .element = std::move(element), .request = std::nullopt},
       .sets = {kernel::SetOf(grounds_.action.type)},
       .url = page_url,
       .page_url = page_url});
  // Used up is what leaves, not what is touched.
  due_once_ = due_once_ | std::exchange(ruling.used_once, {});
  if (ruling.effect != Ruling::Effect::kAsk) return ruling;
  due_ = ruling.grounds;
  ruling.effect = Ruling::Effect::kAllow;
  return ruling;
}

Ruling TurnControl::JudgeRequest(const browser::RequestFacts& request) const {
  const UseRow& row = RowOf(request.use);
  const bool is_safe = browser::IsSafeMethod(request.method);
  Question question{
      .input = {.action = std::nullopt, .element = std::nullopt, .request = FactsOf(request)},
      .sets = {row.set},
      .url = request.url,
      .page_url = request.initiator_origin,
      .is_place = row.is_document};
  if (!is_safe) question.sets.push_back(RuleSet::kActions);
  Ruling ruling = Judge(std::move(question));
  if (is_safe && !row.is_document) return ruling;
  ruling.used_once = ruling.used_once | due_once_;
  if (ruling.effect == Ruling::Effect::kAllow && due_) {
    ruling.effect = Ruling::Effect::kAsk;
    ruling.grounds = *due_;
  }
  return ruling;
}

std::string TurnControl::Note(std::string_view about, const std::string& url,
                              const Ruling& ruling) {
  const std::string id = fmt::format("{}/r{}", grounds_.asker.turn.value(), ++numbers_);
  if (rulings_.size() >= kMostRulings) return id;
  json::object one{{"id", id},
                   {"about", about},
                   {"effect", NameIn(kRulingEffects, ruling.effect)},
                   {"host", model::SplitUrl(url).host},
                   {"risk", ruling.risk.ToJson()}};
  // What changes nothing and was asked of no policy needs no facts to be judged again.
  if (ruling.has_effect || grounds_.policy || ruling.error) PutFacts(ruling, one);
  if (!ruling.rule.empty()) one["rule"] = ruling.rule;
  if (ruling.error) {
    one["code"] = ruling.error->name();
    one["reason"] = ruling.error->message();
  }
  rulings_.push_back(std::move(one));
  return id;
}

void TurnControl::Failed(Error error) {
  if (!failure_) failure_ = std::move(error);
}

}  // namespace falconer::engine
