#pragma once
// The payloads of verification rules: what each type of rule asks for. Which type has which is in
// the table of rule.h.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json/json_reader.h"
#include "model/action/action.h"
#include "model/action/target.h"
#include "model/action/wait.h"
#include "model/contract/json_pointer.h"
#include "model/geometry.h"
#include "model/pattern.h"

namespace falconer::model {

inline constexpr std::size_t kMaxRuleNameLength = 128;  // attribute, property, cookie, mime
inline constexpr std::size_t kMaxRuleValueBytes = 4096;
inline constexpr std::size_t kMaxConsoleAllowed = 16;
inline constexpr std::size_t kMaxMasks = 16;
inline constexpr Bounds<std::int64_t> kRuleCounts = {0, 1'000'000};
inline constexpr Bounds<std::int64_t> kFileSizes = {0, 1LL << 40};
inline constexpr Bounds<std::int64_t> kPixelThresholds = {0, 255};
inline constexpr Bounds<double> kSimilarities = {0, 1};

struct CountCheck {
  CountOp op = CountOp::kEqual;
  std::int64_t n = 0;
  bool operator==(const CountCheck&) const = default;
};

// element_present{selector|eid, fid, strict, state, count{op, n}}. In all rules a target that
// matches several elements is fine, and one of them is enough, unless strict is true. The state
// "detached" asks that there is none.
struct ElementRule {
  Target target;
  ElementCondition state = ElementCondition::kAttached;
  std::optional<CountCheck> count;  // of the elements in that state
  bool operator==(const ElementRule&) const = default;
};

inline constexpr EnumName<PatternMode> kTextRuleModes[] = {
    {PatternMode::kSubstring, "contains"},
    {PatternMode::kExact, "equals"},
    {PatternMode::kRegex, "regex"},
};

enum class Spaces : std::uint8_t { kNormalized, kAsTheyAre };

// text_state{selector|eid, fid, strict, expected, mode, normalize, absent}
struct TextRule {
  Target target;
  Pattern expected;
  Spaces spaces = Spaces::kNormalized;
  bool absent = false;
  bool operator==(const TextRule&) const = default;
};

// Exactly one of the three.
struct ValueCheck {
  std::optional<json::value> expected;
  std::optional<Pattern> matches;  // RE2, found anywhere
  bool absent = false;
  bool operator==(const ValueCheck&) const = default;
};

// The secret that is expected, when it is one that is named: its value is compared in the page, and
// what is observed is only whether it agreed. Only for the property "value".
std::optional<TextInput> SecretOf(const ValueCheck& check);
inline constexpr std::string_view kValueProperty = "value";

// attribute_state{selector|eid, attribute, expected|matches|absent},
// property_state{selector|eid, property, expected|matches}: a name or a path such as value.length,
// computed_style{selector|eid, property, expected|matches}.
struct ElementValueRule {
  Target target;
  std::string name;
  ValueCheck check;
  bool operator==(const ElementValueRule&) const = default;
};

// count{selector, fid, op, n}
struct CountRule {
  Target target;
  CountCheck check;
  bool operator==(const CountRule&) const = default;
};

// Which exchanges of this action a rule is about; a regular expression when no mode is given.
struct ExchangeFilter {
  std::string method;  // upper case; "" is any
  Pattern url;
  bool operator==(const ExchangeFilter&) const = default;
};

// network_status{method, url_pattern, mode, status_min, status_max}
struct NetworkStatusRule {
  ExchangeFilter filter;
  int status_min = 200;
  int status_max = 299;
  bool operator==(const NetworkStatusRule&) const = default;
};

enum class FieldOp : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kAtMost,
  kGreater,
  kAtLeast,
  kContains,
  kMatches,
  kExists,
  kAbsent,
  kType,
};

inline constexpr EnumName<FieldOp> kFieldOps[] = {
    {FieldOp::kEqual, "eq"},        {FieldOp::kNotEqual, "ne"},       {FieldOp::kLess, "lt"},
    {FieldOp::kAtMost, "lte"},      {FieldOp::kGreater, "gt"},        {FieldOp::kAtLeast, "gte"},
    {FieldOp::kMatches, "matches"}, {FieldOp::kContains, "contains"}, {FieldOp::kExists, "exists"},
    {FieldOp::kAbsent, "absent"},   {FieldOp::kType, "type"},
};

// What the op "type" tells apart.
inline constexpr std::string_view kJsonTypes[] = {"null",   "bool",  "number",
                                                  "string", "array", "object"};

// json_field{method, url_pattern, mode, pointer, op, value, require_no_silent_failure}: exists when
// neither op nor value is given, eq when only the value is.
struct JsonFieldRule {
  ExchangeFilter filter;
  JsonPointer pointer;
  FieldOp op = FieldOp::kExists;
  std::optional<json::value> value;
  std::optional<Pattern> pattern;  // the value of `matches`, compiled
  bool requires_no_silent_failure = false;
  bool operator==(const JsonFieldRule&) const = default;
};

// file_exists{artifact_id | name_pattern, mode, min_size, mime, sha256}: a download or artifact of
// this action, never a path of the host. With neither name any of them will do.
struct FileRule {
  std::string artifact_id;
  std::optional<Pattern> name;
  std::int64_t min_size = 1;
  std::string mime;
  std::string sha256;
  bool operator==(const FileRule&) const = default;
};

// url_pattern{pattern, mode}: glob when no mode is given.
struct UrlRule {
  Pattern url;
  bool operator==(const UrlRule&) const = default;
};

// cookie{name, domain, expected|matches|absent}
struct CookieRule {
  std::string name;
  std::string domain;  // "" is any
  ValueCheck check;
  bool operator==(const CookieRule&) const = default;
};

// The levels a page can be asked to stay clear of.
inline constexpr EnumName<ConsoleLevel> kCleanLevels[] = {
    {ConsoleLevel::kError, "error"}, {ConsoleLevel::kWarning, "warning"},  // and errors
};

// console_clean{level, allow[], mode}: messages of this action; those that match one of `allow` do
// not count (a part of the message when no mode is given).
struct ConsoleRule {
  ConsoleLevel level = ConsoleLevel::kError;
  std::vector<Pattern> allow;
  bool operator==(const ConsoleRule&) const = default;
};

enum class Invariant : std::uint8_t {
  kNoVisibleErrors,
  kNoNewErrors,
  kNoDialogOpen,
  kNoFailedRequests,
  kNoSilentFailures,
  kUrlUnchanged,
  kDomUnchanged,
};

inline constexpr EnumName<Invariant> kInvariants[] = {
    {Invariant::kNoVisibleErrors, "no_visible_errors"},
    {Invariant::kNoNewErrors, "no_new_errors"},
    {Invariant::kNoDialogOpen, "no_dialog_open"},
    {Invariant::kNoFailedRequests, "no_failed_requests"},
    {Invariant::kNoSilentFailures, "no_silent_failures"},
    {Invariant::kUrlUnchanged, "url_unchanged"},
    {Invariant::kDomUnchanged, "dom_unchanged"},
};

// invariant{name}
struct InvariantRule {
  Invariant name = Invariant::kNoVisibleErrors;
  bool operator==(const InvariantRule&) const = default;
};

enum class VisualExpectation : std::uint8_t { kChanged, kUnchanged };

inline constexpr EnumName<VisualExpectation> kVisualExpectations[] = {
    {VisualExpectation::kChanged, "changed"},
    {VisualExpectation::kUnchanged, "unchanged"},
};

using Mask = std::variant<Rect, NamedSelector>;

// visual_change{expect, region, masks[], pixel_threshold, similarity_threshold}: what is in a mask
// is not compared.
struct VisualRule {
  VisualExpectation expect = VisualExpectation::kChanged;
  std::optional<Rect> region;
  std::vector<Mask> masks;
  int pixel_threshold = 30;
  double similarity_threshold = 0.95;
  bool operator==(const VisualRule&) const = default;
};

// state_hash{expected_hash_after}: a state_id, or the 64 hex digits of a content hash.
struct StateHashRule {
  std::string expected_hash_after;
  bool operator==(const StateHashRule&) const = default;
};

// monostate: no_new_errors, which has nothing to say.
using RulePayload = std::variant<std::monostate, ElementRule, TextRule, ElementValueRule, CountRule,
                                 NetworkStatusRule, JsonFieldRule, FileRule, UrlRule, CookieRule,
                                 ConsoleRule, InvariantRule, VisualRule, StateHashRule>;

}  // namespace falconer::model
