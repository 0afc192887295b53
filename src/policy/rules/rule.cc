#include "policy/rules/rule.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace falconer::policy {
namespace {

json::value NameList(const std::vector<std::string>& names) {
  return json::array(names.begin(), names.end());
}

json::object ApprovalJson(const ApprovalTerms& terms) {
  return {{"who", NameIn(model::kApproverRanks, terms.who)},
          {"count", terms.count},
          {"timeout_ms", terms.timeout.count()},
          {"approvers", NameList(terms.approvers)},
          {"message", terms.message}};
}

json::object ConstraintJson(const ConstraintTerms& terms) {
  json::object out;
  if (terms.max_amount) out["max_amount"] = terms.max_amount->ToText();
  if (terms.pii_access) out["pii_access"] = *terms.pii_access;
  if (terms.time_limit) out["time_limit_ms"] = terms.time_limit->count();
  json::array domains;
  for (const HostPattern& pattern : terms.domains) domains.emplace_back(pattern.text());
  if (!domains.empty()) out["domains"] = std::move(domains);
  return out;
}

json::object RateJson(const RateTerms& terms) {
  json::array by;
  for (const auto& [key, name] : kRateKeys) {
    if (terms.by.Contains(key)) by.emplace_back(name);
  }
  return {{"max", terms.max}, {"period_ms", terms.period.count()}, {"by", std::move(by)}};
}

std::vector<std::string> Shared(const std::vector<std::string>& a,
                                const std::vector<std::string>& b) {
  std::vector<std::string> out;
  std::ranges::set_intersection(a, b, std::back_inserter(out));
  return out;
}

}  // namespace

void AuditTerms::Add(const AuditTerms& other) {
  level = std::max(level, other.level);
  std::vector<std::string> all;
  std::ranges::set_union(notify, other.notify, std::back_inserter(all));
  notify = std::move(all);
}

json::object Rule::ToJson() const {
  json::object out{{"name", name}, {"when", when.ToJson()}, {"effect", NameIn(kEffects, effect)}};
  if (!description.empty()) out["description"] = description;
  if (!reason.empty()) out["reason"] = reason;
  if (approval) out["require_approval"] = ApprovalJson(*approval);
  if (constrain) out["constrain"] = ConstraintJson(*constrain);
  if (rate_limit) out["rate_limit"] = RateJson(*rate_limit);
  if (audit) {
    out["audit"] = {{"level", NameIn(kAuditLevels, audit->level)},
                    {"notify", NameList(audit->notify)}};
  }
  return out;
}

bool Tighten(ApprovalTerms& both, const ApprovalTerms& more) {
  both.who = std::max(both.who, more.who);
  both.count = std::max(both.count, more.count);
  both.timeout = std::min(both.timeout, more.timeout);
  if (both.message.empty()) both.message = more.message;
  const bool is_named = !both.approvers.empty() || !more.approvers.empty();
  if (!more.approvers.empty()) {
    both.approvers =
        both.approvers.empty() ? more.approvers : Shared(both.approvers, more.approvers);
  }
  return !is_named || both.approvers.size() >= static_cast<std::size_t>(both.count);
}

}  // namespace falconer::policy
