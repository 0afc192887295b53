#pragma once
// What came of the rules: one outcome each, passes too, with what was observed, so that a reader
// (or a replay) can follow every verdict.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"
#include "model/contract/rule.h"

namespace falconer::model {

inline constexpr std::size_t kMaxReportOutcomes = 3 * kMaxRules;
inline constexpr std::size_t kMaxOutcomeDetail = 1024;  // bytes

enum class RuleVerdict : std::uint8_t {
  kPassed,
  kFailed,
  kUnknown,  // could not be observed
};

inline constexpr EnumName<RuleVerdict> kRuleVerdicts[] = {
    {RuleVerdict::kPassed, "passed"},
    {RuleVerdict::kFailed, "failed"},
    {RuleVerdict::kUnknown, "unknown"},
};

// The code of an outcome nobody could observe.
inline constexpr std::string_view kNotObserved = "NOT_OBSERVED";

struct RuleOutcome {
  RuleType type = RuleType::kInvariant;
  Severity severity = Severity::kHard;
  RuleVerdict verdict = RuleVerdict::kUnknown;
  std::string code;       // "" when passed, else the type's failure word or NOT_OBSERVED
  json::object expected;  // the payload of the rule
  json::value observed;   // null when there was nothing to see
  std::string detail;

  // True when the action must be reported as failed because of it.
  bool is_hard_failure() const {
    return severity == Severity::kHard && verdict != RuleVerdict::kPassed;
  }
  json::object ToJson() const;
  bool operator==(const RuleOutcome&) const = default;
};

struct VerificationReport {
  bool passed = true;
  std::vector<RuleOutcome> outcomes;

  // Passed when no hard rule failed or stayed unknown.
  static VerificationReport Of(std::vector<RuleOutcome> outcomes);
  // {"passed", "outcomes": [...]}
  json::object ToJson() const;
  // Strict. Fails with kInvalidArgument, also when "passed" is not what the outcomes say.
  static Result<VerificationReport> FromJson(const json::value& value,
                                             std::string path = "verification");
  bool operator==(const VerificationReport&) const = default;
};

// For documents that hold a report among other things.
VerificationReport ReadReport(JsonReader& in);

}  // namespace falconer::model
