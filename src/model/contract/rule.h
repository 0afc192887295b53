#pragma once
// VerificationRule: one thing that must hold before or after an action. On the wire: {"rule_type",
// "severity", "payload": {...}}; the fields of the payload may also stand beside "rule_type". How a
// rule is judged, and from which observation, is in rule_judge.h.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/json/json_reader.h"
#include "model/contract/rule_payload.h"

namespace falconer::model {

inline constexpr std::size_t kMaxRules = 32;  // in one list

enum class RuleType : std::uint8_t {
  kElementPresent,
  kTextState,
  kAttributeState,
  kPropertyState,
  kComputedStyle,
  kCount,
  kNetworkStatus,
  kJsonField,
  kFileExists,
  kUrlPattern,
  kCookie,
  kConsoleClean,
  kNoNewErrors,
  kInvariant,
  kVisualChange,
  kStateHash,
};

// A hard rule that does not hold fails the action; a soft one is only reported.
enum class Severity : std::uint8_t { kHard, kSoft };

inline constexpr EnumName<Severity> kSeverities[] = {
    {Severity::kHard, "hard"},
    {Severity::kSoft, "soft"},
};

// Can it be judged from the page as it is, or only from what an action brought about?
enum class RuleUse : std::uint8_t { kAnyTime, kAfterAction };

struct RuleTraits {
  RuleType type;
  std::string_view name;
  RuleUse use;
  std::size_t payload;            // index of the type's alternative in RulePayload
  std::string_view failure_code;  // the stable word for "does not hold"
};

const RuleTraits& TraitsOf(RuleType type);
std::span<const RuleTraits> AllRuleTypes();
// Invariants differ in it one by one.
RuleUse UseOf(Invariant invariant);

struct VerificationRule {
  RuleType type = RuleType::kInvariant;
  Severity severity = Severity::kHard;
  RulePayload payload = InvariantRule{};

  // Reads and validates. Fails with kInvalidContract or kInvalidSelector, naming the field.
  static Result<VerificationRule> FromJson(const json::value& value, std::string path = "rule");
  // What FromJson reads, in the form with "payload"; members at their defaults are left out.
  json::object ToJson() const;
  json::object PayloadJson() const;
  // Fails with kInvalidContract: a payload of another type or with impossible values.
  Result<void> Validate() const;

  const RuleTraits& traits() const { return TraitsOf(type); }
  RuleUse use() const;
  bool operator==(const VerificationRule&) const = default;
};

// What is wrong with a payload: the field at fault and why. Nothing when all is well.
struct RuleFlaw {
  std::string_view field;
  std::string why;
};
std::optional<RuleFlaw> FlawOf(const VerificationRule& rule);

// For documents that hold rules among other things; validates.
VerificationRule ReadRule(JsonReader& in);

}  // namespace falconer::model
