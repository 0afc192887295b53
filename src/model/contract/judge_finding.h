#pragma once
// For the files of the judge only: what a judging function answers, and how observations are read.

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "model/contract/rule.h"
#include "model/contract/rule_report.h"

namespace falconer::model {

struct Finding {
  RuleVerdict verdict = RuleVerdict::kUnknown;
  std::string detail;
  std::optional<json::value> recorded;  // to be kept instead of the observation
};

inline Finding Passed() {
  return {.verdict = RuleVerdict::kPassed};
}
inline Finding Failed(std::string why) {
  return {.verdict = RuleVerdict::kFailed, .detail = std::move(why)};
}
inline Finding Unknown(std::string why) {
  return {.verdict = RuleVerdict::kUnknown, .detail = std::move(why)};
}
inline Finding Lacks(std::string_view key) {
  return Unknown("the observation lacks " + std::string(key));
}
inline Finding PassedIf(bool holds, std::string why_not) {
  return holds ? Passed() : Failed(std::move(why_not));
}

// Members of an observation; nothing when they are not there or of another type.
std::optional<std::int64_t> CountAt(const json::object& in, std::string_view key);
std::optional<std::string_view> TextAt(const json::object& in, std::string_view key);
const json::array* ListAt(const json::object& in, std::string_view key);
// True when something was left out of a list.
bool HasDropped(const json::object& in);

using JudgeFunction = Finding (*)(const VerificationRule&, const json::object&);

// What the page shows (judge_page.cc).
Finding JudgeElement(const VerificationRule& rule, const json::object& seen);
Finding JudgeText(const VerificationRule& rule, const json::object& seen);
Finding JudgeElementValue(const VerificationRule& rule, const json::object& seen);
Finding JudgeCount(const VerificationRule& rule, const json::object& seen);
Finding JudgeUrl(const VerificationRule& rule, const json::object& seen);
Finding JudgeCookie(const VerificationRule& rule, const json::object& seen);
// What the action brought about (judge_effects.cc).
Finding JudgeNetworkStatus(const VerificationRule& rule, const json::object& seen);
Finding JudgeJsonField(const VerificationRule& rule, const json::object& seen);
Finding JudgeFile(const VerificationRule& rule, const json::object& seen);
Finding JudgeConsole(const VerificationRule& rule, const json::object& seen);
Finding JudgeNoNewErrors(const VerificationRule& rule, const json::object& seen);
Finding JudgeInvariant(const VerificationRule& rule, const json::object& seen);
Finding JudgeVisual(const VerificationRule& rule, const json::object& seen);
Finding JudgeStateHash(const VerificationRule& rule, const json::object& seen);

}  // namespace falconer::model
