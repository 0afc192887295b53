#include "policy/rules/decision_maker.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "policy/rules/message_template.h"

namespace falconer::policy {
namespace {

bool Grants(const RuleHit& hit) {
  const Effect effect = hit.rule->effect;
  return hit.truth == Truth::kTrue && effect != Effect::kNone && effect != Effect::kDeny;
}

// The first hit with this effect, those that surely hold before the others.
const RuleHit* FirstHit(const std::vector<RuleHit>& hits, Effect effect) {
  const RuleHit* open = nullptr;
  for (const RuleHit& hit : hits) {
    if (hit.rule->effect != effect) continue;
    if (hit.truth == Truth::kTrue) return &hit;
    if (open == nullptr) open = &hit;
  }
  return open;
}

}  // namespace

DecisionMaker::DecisionMaker(FactView& facts, PolicyDecision decision, std::size_t rules)
    : facts_(facts), decision_(std::move(decision)), places_(rules) {
}

std::string_view DecisionMaker::HostText() const {
  return facts_.HostOf(HostFact::kDomain).host.text;
}

DecisionMaker::Answer DecisionMaker::AnswerOf(const std::vector<RuleHit>& hits) const {
  if (const RuleHit* hit = FirstHit(hits, Effect::kDeny)) {
    std::string reason = hit->rule->reason;
    if (hit->truth == Truth::kUnknown) reason += " (cannot be ruled out)";
    return {Effect::kDeny, hit->rule, std::move(reason)};
  }
  if (std::ranges::none_of(hits, Grants)) {
    const std::string_view host = HostText();
    return {Effect::kDeny, nullptr,
            fmt::format("no rule allows {}{}{}", model::CapabilityName(facts_.capability()),
                        host.empty() ? "" : " on ", host)};
  }
  if (const RuleHit* hit = FirstHit(hits, Effect::kRequireApproval)) {
    return {Effect::kRequireApproval, hit->rule,
            fmt::format("rule \"{}\" asks for approval", hit->rule->name)};
  }
  for (const Effect effect : {Effect::kConstrain, Effect::kAllow}) {
    const RuleHit* hit = FirstHit(hits, effect);
    if (hit != nullptr && hit->truth == Truth::kTrue) {
      return {effect, hit->rule, fmt::format("rule \"{}\" allows it", hit->rule->name)};
    }
  }
  std::unreachable();
}

void DecisionMaker::Settle(Answer answer) {
  if (!is_first_ && answer.effect <= decision_.would_be) return;
  is_first_ = false;
  decision_.would_be = answer.effect;
  decision_.rule = answer.rule != nullptr ? answer.rule->name : "";
  decision_.reason = std::move(answer.reason);
  decision_.capability = facts_.capability();
}

void DecisionMaker::Judge(const std::vector<RuleHit>& hits) {
  for (const RuleHit& hit : hits) Record(hit);
  Settle(AnswerOf(hits));
}

void DecisionMaker::Record(const RuleHit& hit) {
  const Rule& rule = *hit.rule;
  std::uint32_t& place = places_[hit.position];
  if (rule.rate_limit) AddRateLimit(hit);
  if (place > 0) {
    MatchedRule& seen = decision_.matched[place - 1];
    seen.capabilities.Add(facts_.capability());
    const bool is_certain_now = hit.truth == Truth::kTrue && seen.truth != Truth::kTrue;
    if (is_certain_now && rule.constrain) AddConstraints(*rule.constrain);
    seen.truth = std::max(seen.truth, hit.truth);
    return;
  }
  decision_.matched.push_back({.name = rule.name,
                               .effect = rule.effect,
                               .truth = hit.truth,
                               .capabilities = {facts_.capability()}});
  place = static_cast<std::uint32_t>(decision_.matched.size());
  if (rule.approval) AddApproval(*rule.approval);
  if (rule.constrain && hit.truth == Truth::kTrue) AddConstraints(*rule.constrain);
  if (rule.audit) decision_.audit.Add(*rule.audit);
}

void DecisionMaker::AddApproval(const ApprovalTerms& terms) {
  ApprovalTerms filled = terms;
  filled.message = FillMessage(terms.message, facts_.facts(), HostText(), facts_.capability());
  if (!decision_.approval) {
    decision_.approval = std::move(filled);
    return;
  }
  const bool has_enough = Tighten(*decision_.approval, filled);
  lacks_approver_ = lacks_approver_ || !has_enough;
}

void DecisionMaker::AddConstraints(const ConstraintTerms& terms) {
  Constraints& all = decision_.constraints;
  if (terms.max_amount) {
    const auto same =
        std::ranges::find(all.max_amounts, terms.max_amount->currency, &model::Money::currency);
    if (same == all.max_amounts.end()) {
      all.max_amounts.push_back(*terms.max_amount);
    } else {
      same->ten_thousandths = std::min(same->ten_thousandths, terms.max_amount->ten_thousandths);
    }
  }
  if (!terms.domains.empty()) {
    auto& list = all.domains.emplace_back();
    for (const HostPattern& pattern : terms.domains) list.push_back(pattern.text());
  }
  if (terms.pii_access == false) all.pii_access = false;
  if (terms.time_limit) {
    all.time_limit = std::min(all.time_limit.value_or(*terms.time_limit), *terms.time_limit);
  }
}

void DecisionMaker::AddRateLimit(const RuleHit& hit) {
  const Rule& rule = *hit.rule;
  const model::PolicyFacts& facts = facts_.facts();
  const auto text_of = [&](RateKey key) -> std::string_view {
    switch (key) {
      case RateKey::kTenant:
        return facts.tenant;
      case RateKey::kAgent:
        return facts.agent;
      case RateKey::kDomain:
        return HostText();
      case RateKey::kCapability:
        return model::CapabilityName(facts_.capability());
      case RateKey::kAction:
        return facts.action ? model::ActionName(*facts.action) : std::string_view();
    }
    std::unreachable();
  };
  json::array key{rule.name};
  for (const auto& [part, name] : kRateKeys) {
    if (rule.rate_limit->by.Contains(part)) key.emplace_back(text_of(part));
  }
  RateDemand demand{.rule = rule.name,
                    .max = rule.rate_limit->max,
                    .period = rule.rate_limit->period,
                    .key = json::serialize(key),
                    .truth = hit.truth};
  auto& limits = decision_.rate_limits;
  const auto known = std::ranges::find(limits, demand.key, &RateDemand::key);
  if (known == limits.end()) {
    limits.push_back(std::move(demand));
  } else {
    known->truth = std::max(known->truth, demand.truth);
  }
}

PolicyDecision DecisionMaker::Take() && {
  if (decision_.would_be == Effect::kRequireApproval && lacks_approver_) {
    decision_.would_be = Effect::kDeny;
    decision_.reason = "too few may approve for every rule that asks for it";
  }
  if (decision_.would_be != Effect::kDeny && !decision_.constraints.empty()) {
    if (auto why = decision_.constraints.Violation(facts_.facts())) {
      decision_.would_be = Effect::kDeny;
      decision_.reason = *std::move(why);
    }
  }
  if (decision_.would_be != Effect::kRequireApproval) decision_.approval.reset();
  if (decision_.would_be == Effect::kDeny) decision_.constraints = {};
  decision_.outcome = decision_.mode == PolicyMode::kObserve ? Effect::kAllow : decision_.would_be;
  return std::move(decision_);
}

}  // namespace falconer::policy
