#include "policy/risk/risk.h"

#include <algorithm>
#include <utility>

#include "policy/risk/risk_findings.h"

namespace falconer::policy {

Risk AssessRisk(const RiskInput& input) {
  RiskFindings findings;
  JudgeElement(input, findings);
  if (input.request) JudgeRequest(*input.request, findings);
  return std::move(findings).Take();
}

void AddTo(model::PolicyFacts& facts, const Risk& risk) {
  facts.risk = std::max(facts.risk, risk.level);
  facts.capabilities = facts.capabilities | risk.capabilities;
  if (risk.amount) facts.amount = risk.amount;
}

json::object Risk::ToJson() const {
  json::array names;
  for (const std::string_view name : model::CapabilityNames(capabilities)) names.emplace_back(name);
  json::array rows;
  for (const RiskReason& reason : reasons) {
    rows.push_back({{"code", reason.code},
                    {"text", reason.text},
                    {"level", NameIn(model::kRiskLevels, reason.level)}});
  }
  json::object out{{"level", NameIn(model::kRiskLevels, level)},
                   {"capabilities", std::move(names)},
                   {"reasons", std::move(rows)}};
  if (amount) out["amount"] = amount->ToText();
  return out;
}

}  // namespace falconer::policy
