#include "policy/rules/rule.h"

#include <utility>

namespace falconer::policy {
namespace {

json::value NameList(const std::vector<std::string>& names) {
  return json::array(names.begin(), names.end());
}

json::object ApprovalJson(const ApprovalTerms& terms) {
  return {{"who", NameIn(kApprovers, terms.who)},
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

}  // namespace

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

}  // namespace falconer::policy
