#include "model/contract/rule_judge.h"

#include <utility>

#include "base/utf8.h"
#include "model/contract/judge_finding.h"

namespace falconer::model {
namespace {

struct JudgeRow {
  RuleType type;
  JudgeFunction judge;
};

constexpr JudgeRow kJudges[] = {
    {RuleType::kElementPresent, JudgeElement},
    {RuleType::kTextState, JudgeText},
    {RuleType::kAttributeState, JudgeElementValue},
    {RuleType::kPropertyState, JudgeElementValue},
    {RuleType::kComputedStyle, JudgeElementValue},
    {RuleType::kCount, JudgeCount},
    {RuleType::kNetworkStatus, JudgeNetworkStatus},
    {RuleType::kJsonField, JudgeJsonField},
    {RuleType::kFileExists, JudgeFile},
    {RuleType::kUrlPattern, JudgeUrl},
    {RuleType::kCookie, JudgeCookie},
    {RuleType::kConsoleClean, JudgeConsole},
    {RuleType::kNoNewErrors, JudgeNoNewErrors},
    {RuleType::kInvariant, JudgeInvariant},
    {RuleType::kVisualChange, JudgeVisual},
    {RuleType::kStateHash, JudgeStateHash},
};

Finding Find(const VerificationRule& rule, const json::value& observed) {
  const json::object* seen = observed.if_object();
  if (seen == nullptr) return Unknown("nothing was observed");
  if (const auto why = TextAt(*seen, "unobservable")) return Unknown(std::string(*why));
  return kJudges[std::to_underlying(rule.type)].judge(rule, *seen);
}

std::string_view CodeOf(const VerificationRule& rule, RuleVerdict verdict) {
  if (verdict == RuleVerdict::kPassed) return "";
  return verdict == RuleVerdict::kFailed ? rule.traits().failure_code : kNotObserved;
}

}  // namespace

RuleOutcome Judge(const VerificationRule& rule, const json::value& observed) {
  Finding finding = Find(rule, observed);
  return {.type = rule.type,
          .severity = rule.severity,
          .verdict = finding.verdict,
          .code = std::string(CodeOf(rule, finding.verdict)),
          .expected = rule.PayloadJson(),
          .observed = std::move(finding.recorded).value_or(observed),
          .detail = std::string(Utf8Prefix(finding.detail, kMaxOutcomeDetail))};
}

std::optional<std::int64_t> CountAt(const json::object& in, std::string_view key) {
  const json::value* value = in.if_contains(key);
  if (value == nullptr) return std::nullopt;
  // A count is of the one kind when it was observed, and of the other when it was read.
  std::error_code failed;
  const auto count = value->to_number<std::int64_t>(failed);
  return failed || count < 0 ? std::nullopt : std::optional(count);
}

std::optional<std::string_view> TextAt(const json::object& in, std::string_view key) {
  const json::value* value = in.if_contains(key);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return value->get_string();
}

const json::array* ListAt(const json::object& in, std::string_view key) {
  const json::value* value = in.if_contains(key);
  return value == nullptr ? nullptr : value->if_array();
}

bool HasDropped(const json::object& in) {
  return CountAt(in, "dropped").value_or(0) > 0;
}

}  // namespace falconer::model
