#include "model/contract/rule_report.h"

#include <algorithm>
#include <utility>

namespace falconer::model {
namespace {

RuleType ReadReportedType(JsonReader& in) {
  const std::string name = in.String("rule_type");
  for (const RuleTraits& row : AllRuleTypes()) {
    if (row.name == name) return row.type;
  }
  in.Reject("rule_type", "is not a known rule");
  return RuleType::kInvariant;
}

std::string_view CodeFor(RuleType type, RuleVerdict verdict) {
  switch (verdict) {
    case RuleVerdict::kPassed:
      return "";
    case RuleVerdict::kFailed:
      return TraitsOf(type).failure_code;
    case RuleVerdict::kUnknown:
      return kNotObserved;
  }
  std::unreachable();
}

RuleOutcome ReadOutcome(JsonReader& in) {
  RuleOutcome outcome{.type = ReadReportedType(in),
                      .severity = in.Enum("severity", kSeverities),
                      .verdict = in.Enum("verdict", kRuleVerdicts),
                      .code = in.OptionalString("code").value_or(""),
                      .expected = in.OptionalRawObject("expected").value_or(json::object()),
                      .observed = in.OptionalRawValue("observed").value_or(json::value()),
                      .detail = in.OptionalString("detail", {1, kMaxOutcomeDetail}).value_or("")};
  if (outcome.code != CodeFor(outcome.type, outcome.verdict)) {
    in.Reject("code", "does not go with the verdict");
  }
  return outcome;
}

}  // namespace

json::object RuleOutcome::ToJson() const {
  json::object out{{"rule_type", TraitsOf(type).name},
                   {"severity", NameIn(kSeverities, severity)},
                   {"verdict", NameIn(kRuleVerdicts, verdict)}};
  if (!code.empty()) out["code"] = code;
  if (!expected.empty()) out["expected"] = expected;
  if (!observed.is_null()) out["observed"] = observed;
  if (!detail.empty()) out["detail"] = detail;
  return out;
}

VerificationReport VerificationReport::Of(std::vector<RuleOutcome> outcomes) {
  const bool failed = std::ranges::any_of(outcomes, &RuleOutcome::is_hard_failure);
  return {.passed = !failed, .outcomes = std::move(outcomes)};
}

json::object VerificationReport::ToJson() const {
  json::object out{{"passed", passed}};
  json::array& list = out["outcomes"].emplace_array();
  for (const RuleOutcome& outcome : outcomes) list.emplace_back(outcome.ToJson());
  return out;
}

VerificationReport ReadReport(JsonReader& in) {
  const bool passed = in.Bool("passed");
  VerificationReport report =
      VerificationReport::Of(in.Objects("outcomes", ReadOutcome, {0, kMaxReportOutcomes}));
  if (report.passed != passed) in.Reject("passed", "is not what the outcomes say");
  return report;
}

Result<VerificationReport> VerificationReport::FromJson(const json::value& value,
                                                        std::string path) {
  return ReadJson(value, std::move(path), ReadReport);
}

}  // namespace falconer::model
