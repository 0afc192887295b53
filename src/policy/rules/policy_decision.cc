#include "policy/rules/policy_decision.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "policy/rules/fact_view.h"

namespace falconer::policy {
namespace {

bool CoversHost(const std::vector<std::string>& patterns, const HostView& view) {
  return std::ranges::any_of(patterns, [&](const std::string& text) {
    const Result<HostPattern> pattern = HostPattern::Parse(text);
    return pattern && pattern->Matches(view.host, view.port);
  });
}

std::optional<std::string> AmountViolation(const model::Money& most,
                                           const model::PolicyFacts& facts) {
  const bool is_purchase = facts.capabilities.Contains(model::Capability::kPurchase);
  if (!facts.amount) {
    if (!is_purchase) return std::nullopt;
    return fmt::format("the amount is not known, and at most {} is allowed", most.ToText());
  }
  const bool is_within = facts.amount->currency == most.currency &&
                         facts.amount->ten_thousandths <= most.ten_thousandths;
  if (is_within) return std::nullopt;
  return fmt::format("{} is more than the {} that is allowed, or cannot be compared with it",
                     facts.amount->ToText(), most.ToText());
}

json::array ToArray(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

json::object MatchJson(const MatchedRule& match) {
  json::array capabilities;
  for (const std::string_view name : model::CapabilityNames(match.capabilities)) {
    capabilities.emplace_back(name);
  }
  return {{"rule", match.name},
          {"effect", NameIn(kEffects, match.effect)},
          {"truth", NameIn(kTruths, match.truth)},
          {"capabilities", std::move(capabilities)}};
}

json::object DemandJson(const ApprovalTerms& approval) {
  json::object out{{"who", NameIn(model::kApproverRanks, approval.who)},
                   {"count", approval.count},
                   {"timeout_ms", approval.timeout.count()},
                   {"message", approval.message}};
  if (!approval.approvers.empty()) out["approvers"] = ToArray(approval.approvers);
  return out;
}

json::object LimitsJson(const Constraints& constraints) {
  json::object out;
  json::array amounts;
  for (const model::Money& most : constraints.max_amounts) amounts.emplace_back(most.ToText());
  if (!amounts.empty()) out["max_amounts"] = std::move(amounts);
  json::array domains;
  for (const auto& list : constraints.domains) domains.push_back(ToArray(list));
  if (!domains.empty()) out["domains"] = std::move(domains);
  if (!constraints.pii_access) out["pii_access"] = false;
  if (constraints.time_limit) out["time_limit_ms"] = constraints.time_limit->count();
  return out;
}

json::array RatesJson(const std::vector<RateDemand>& limits) {
  json::array out;
  for (const RateDemand& limit : limits) {
    out.push_back({{"rule", limit.rule},
                   {"max", limit.max},
                   {"period_ms", limit.period.count()},
                   {"key", limit.key},
                   {"truth", NameIn(kTruths, limit.truth)}});
  }
  return out;
}

}  // namespace

bool Constraints::empty() const {
  return *this == Constraints();
}

std::optional<std::string> Constraints::Violation(const model::PolicyFacts& facts) const {
  for (const model::Money& most : max_amounts) {
    if (auto why = AmountViolation(most, facts)) return why;
  }
  const std::vector<TimeZone> no_zones;
  FactView view(facts, no_zones);
  for (const std::string_view place : FactView::PlacesOf(facts)) {
    view.set_place(place);
    for (const std::vector<std::string>& list : domains) {
      const HostView& host = view.HostOf(HostFact::kDomain);
      if (host.state != HostView::State::kKnown || !CoversHost(list, host)) {
        return fmt::format("the host {} is not among those allowed", host.host.text);
      }
    }
  }
  if (!pii_access && facts.capabilities.Contains(model::Capability::kPii)) {
    return "personal data may not be used";
  }
  if (time_limit && facts.began && facts.now - *facts.began >= *time_limit) {
    return fmt::format("the session has gone on for {} s, and {} s are allowed",
                       std::chrono::floor<std::chrono::seconds>(facts.now - *facts.began).count(),
                       std::chrono::floor<std::chrono::seconds>(*time_limit).count());
  }
  return std::nullopt;
}

json::object PolicyDecision::ToJson() const {
  json::array matches;
  for (const MatchedRule& match : matched) matches.push_back(MatchJson(match));
  json::object out{
      {"outcome", NameIn(kEffects, outcome)},
      {"would_be", NameIn(kEffects, would_be)},
      {"mode", NameIn(kPolicyModes, mode)},
      {"set", NameIn(kRuleSets, set)},
      {"used", NameIn(kRuleSets, used)},
      {"rule", rule},
      {"reason", reason},
      {"capability", model::CapabilityName(capability)},
      {"matched", std::move(matches)},
      {"audit", {{"level", NameIn(kAuditLevels, audit.level)}, {"notify", ToArray(audit.notify)}}},
      {"policy", {{"name", policy}, {"version", version}, {"digest", digest}}}};
  if (approval) out["approval"] = DemandJson(*approval);
  if (!constraints.empty()) out["constraints"] = LimitsJson(constraints);
  if (!rate_limits.empty()) out["rate_limits"] = RatesJson(rate_limits);
  return out;
}

}  // namespace falconer::policy
