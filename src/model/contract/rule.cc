// The table of rule types and the rules of their payloads.

#include "model/contract/rule.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/hex.h"
#include "base/text.h"

namespace falconer::model {
namespace {

using enum RuleType;
using enum RuleUse;

using Flaw = std::optional<RuleFlaw>;

template <typename T, std::size_t I = 0>
constexpr std::size_t PayloadIndex() {
  if constexpr (std::is_same_v<std::variant_alternative_t<I, RulePayload>, T>) {
    return I;
  } else {
    return PayloadIndex<T, I + 1>();
  }
}

// clang-format off
constexpr RuleTraits kRules[] = {
    {kElementPresent, "element_present", kAnyTime,     PayloadIndex<ElementRule>(),       "ELEMENT_NOT_PRESENT"},
    {kTextState,      "text_state",      kAnyTime,     PayloadIndex<TextRule>(),          "TEXT_MISMATCH"},
    {kAttributeState, "attribute_state", kAnyTime,     PayloadIndex<ElementValueRule>(),  "ATTRIBUTE_MISMATCH"},
    {kPropertyState,  "property_state",  kAnyTime,     PayloadIndex<ElementValueRule>(),  "PROPERTY_MISMATCH"},
    {kComputedStyle,  "computed_style",  kAnyTime,     PayloadIndex<ElementValueRule>(),  "STYLE_MISMATCH"},
    {kCount,          "count",           kAnyTime,     PayloadIndex<CountRule>(),         "COUNT_MISMATCH"},
    {kNetworkStatus,  "network_status",  kAfterAction, PayloadIndex<NetworkStatusRule>(), "NETWORK_STATUS_MISMATCH"},
    {kJsonField,      "json_field",      kAfterAction, PayloadIndex<JsonFieldRule>(),     "JSON_FIELD_MISMATCH"},
    {kFileExists,     "file_exists",     kAfterAction, PayloadIndex<FileRule>(),          "FILE_MISSING"},
    {kUrlPattern,     "url_pattern",     kAnyTime,     PayloadIndex<UrlRule>(),           "URL_MISMATCH"},
    {kCookie,         "cookie",          kAnyTime,     PayloadIndex<CookieRule>(),        "COOKIE_MISMATCH"},
    {kConsoleClean,   "console_clean",   kAfterAction, PayloadIndex<ConsoleRule>(),       "CONSOLE_NOT_CLEAN"},
    {kNoNewErrors,    "no_new_errors",   kAfterAction, PayloadIndex<std::monostate>(),    "NEW_ERRORS"},
    {kInvariant,      "invariant",       kAnyTime,     PayloadIndex<InvariantRule>(),     "INVARIANT_VIOLATED"},
    {kVisualChange,   "visual_change",   kAfterAction, PayloadIndex<VisualRule>(),        "VISUAL_MISMATCH"},
    {kStateHash,      "state_hash",      kAfterAction, PayloadIndex<StateHashRule>(),     "STATE_HASH_MISMATCH"},
};
// clang-format on

Flaw Say(std::string_view field, std::string why) {
  return RuleFlaw{field, std::move(why)};
}

Flaw CheckRuleTarget(const Target& target) {
  if (target.point || target.position) return Say("", "a rule is about an element, not a point");
  if (auto valid = target.Validate(); !valid) return Say("", valid.error().message());
  return std::nullopt;
}

template <typename T>
Flaw CheckRange(std::string_view field, const Bounds<T>& bounds, T value) {
  if (bounds.Contains(value)) return std::nullopt;
  return Say(field, fmt::format("must be between {} and {}", bounds.min, bounds.max));
}

Flaw CheckName(std::string_view field, std::string_view name) {
  if (name.empty()) return Say(field, "is empty");
  if (name.size() > kMaxRuleNameLength) {
    return Say(field, fmt::format("is longer than {} bytes", kMaxRuleNameLength));
  }
  const bool is_plain = std::ranges::all_of(name, [](char c) { return c > ' ' && c < 0x7F; });
  return is_plain ? std::nullopt : Say(field, "has a character that no name has");
}

Flaw CheckValue(std::string_view field, const json::value& value) {
  if (json::serialize(value).size() <= kMaxRuleValueBytes) return std::nullopt;
  return Say(field, fmt::format("is larger than {} bytes", kMaxRuleValueBytes));
}

Flaw CheckCheck(const ValueCheck& check) {
  const int ways =
      int{check.expected.has_value()} + int{check.matches.has_value()} + int{check.absent};
  if (ways != 1) return Say("expected", "give one of expected, matches and absent");
  return check.expected ? CheckValue("expected", *check.expected) : std::nullopt;
}

Flaw CheckFilter(const ExchangeFilter& filter) {
  if (filter.url.text().empty()) return Say("url_pattern", "is empty");
  const bool is_method =
      filter.method.size() <= kMaxRuleNameLength && std::ranges::all_of(filter.method, IsLetter);
  return is_method ? std::nullopt : Say("method", "is not a method");
}

bool IsSha256(std::string_view text) {
  return text.size() == 64 && IsHex(text);
}

Flaw FirstOf(std::initializer_list<Flaw> flaws) {
  const auto* found =
      std::ranges::find_if(flaws, [](const Flaw& flaw) { return flaw.has_value(); });
  return found == flaws.end() ? std::nullopt : *found;
}

// What the operand of a comparison must be.
Flaw CheckOperand(const JsonFieldRule& rule) {
  const bool needs_none = rule.op == FieldOp::kExists || rule.op == FieldOp::kAbsent;
  if (needs_none) return rule.value ? Say("value", "does not go with this op") : std::nullopt;
  if (!rule.value) return Say("value", "is required by this op");
  switch (rule.op) {
    case FieldOp::kLess:
    case FieldOp::kAtMost:
    case FieldOp::kGreater:
    case FieldOp::kAtLeast:
      return rule.value->is_number() ? std::nullopt : Say("value", "must be a number");
    case FieldOp::kMatches:
      return rule.pattern ? std::nullopt : Say("value", "must be a regular expression");
    case FieldOp::kType: {
      const json::string* name = rule.value->if_string();
      const bool is_known =
          name && std::ranges::find(kJsonTypes, std::string_view(*name)) != std::end(kJsonTypes);
      return is_known
                 ? std::nullopt
                 : Say("value", fmt::format("expected one of {}", fmt::join(kJsonTypes, ", ")));
    }
    default:
      return CheckValue("value", *rule.value);
  }
}

// One rule per payload.
struct PayloadRules {
  RuleType type;

  Flaw operator()(std::monostate) const { return std::nullopt; }
  Flaw operator()(const InvariantRule&) const { return std::nullopt; }

  Flaw operator()(const ElementRule& rule) const {
    if (rule.count && rule.state == ElementCondition::kDetached) {
      return Say("count", "does not go with detached");
    }
    return FirstOf({CheckRuleTarget(rule.target),
                    rule.count ? CheckRange("count", kRuleCounts, rule.count->n) : std::nullopt});
  }

  Flaw operator()(const TextRule& rule) const {
    const bool is_empty = rule.expected.text().empty();
    if (is_empty && rule.expected.mode() != PatternMode::kExact) return Say("expected", "is empty");
    return CheckRuleTarget(rule.target);
  }

  Flaw operator()(const ElementValueRule& rule) const {
    const bool is_attribute = type == kAttributeState;
    if (rule.check.absent && !is_attribute) return Say("absent", "is only for attribute_state");
    const bool is_text = !rule.check.expected || rule.check.expected->is_string();
    if (!is_text && type != kPropertyState) return Say("expected", "must be a string");
    if (SecretOf(rule.check) && rule.name != kValueProperty)
      return Say("expected", "a secret is only compared with the property value");
    return FirstOf({CheckRuleTarget(rule.target),
                    CheckName(is_attribute ? "attribute" : "property", rule.name),
                    CheckCheck(rule.check)});
  }

  Flaw operator()(const CountRule& rule) const {
    if (!rule.target.eid.empty()) return Say("eid", "is not for count, which needs a selector");
    return FirstOf({CheckRuleTarget(rule.target), CheckRange("n", kRuleCounts, rule.check.n)});
  }

  Flaw operator()(const NetworkStatusRule& rule) const {
    if (rule.status_min > rule.status_max) return Say("status_min", "is above status_max");
    return FirstOf({CheckFilter(rule.filter),
                    CheckRange<std::int64_t>("status_min", kStatuses, rule.status_min),
                    CheckRange<std::int64_t>("status_max", kStatuses, rule.status_max)});
  }

  Flaw operator()(const JsonFieldRule& rule) const {
    return FirstOf({CheckFilter(rule.filter), CheckOperand(rule)});
  }

  Flaw operator()(const FileRule& rule) const {
    if (!rule.artifact_id.empty() && rule.name) {
      return Say("name_pattern", "is given together with artifact_id");
    }
    if (!rule.sha256.empty() && !IsSha256(rule.sha256)) {
      return Say("sha256", "must be 64 lower-case hex digits");
    }
    return FirstOf(
        {rule.artifact_id.empty() ? std::nullopt : CheckName("artifact_id", rule.artifact_id),
         rule.mime.empty() ? std::nullopt : CheckName("mime", rule.mime),
         CheckRange("min_size", kFileSizes, rule.min_size)});
  }

  Flaw operator()(const UrlRule& rule) const {
    return rule.url.text().empty() ? Say("pattern", "is empty") : std::nullopt;
  }

  Flaw operator()(const CookieRule& rule) const {
    const bool is_text = !rule.check.expected || rule.check.expected->is_string();
    if (!is_text) return Say("expected", "must be a string");
    return FirstOf({CheckName("name", rule.name),
                    rule.domain.empty() ? std::nullopt : CheckName("domain", rule.domain),
                    CheckCheck(rule.check)});
  }

  Flaw operator()(const ConsoleRule& rule) const {
    if (NameIn(kCleanLevels, rule.level).empty()) return Say("level", "must be error or warning");
    if (rule.allow.size() <= kMaxConsoleAllowed) return std::nullopt;
    return Say("allow", fmt::format("has more than {}", kMaxConsoleAllowed));
  }

  Flaw operator()(const VisualRule& rule) const {
    if (rule.masks.size() > kMaxMasks) {
      return Say("masks", fmt::format("has more than {}", kMaxMasks));
    }
    return FirstOf(
        {CheckRange<std::int64_t>("pixel_threshold", kPixelThresholds, rule.pixel_threshold),
         CheckRange("similarity_threshold", kSimilarities, rule.similarity_threshold)});
  }

  Flaw operator()(const StateHashRule& rule) const {
    const std::string_view hash = rule.expected_hash_after;
    const bool is_state_id = hash.size() == 26 && hash.starts_with("s_") && IsHex(hash.substr(2));
    if (is_state_id || IsSha256(hash)) return std::nullopt;
    return Say("expected_hash_after", "is neither a state_id nor 64 hex digits");
  }
};

}  // namespace

const RuleTraits& TraitsOf(RuleType type) {
  return kRules[std::to_underlying(type)];
}

std::span<const RuleTraits> AllRuleTypes() {
  return kRules;
}

RuleUse UseOf(Invariant invariant) {
  const bool is_about_now =
      invariant == Invariant::kNoVisibleErrors || invariant == Invariant::kNoDialogOpen;
  return is_about_now ? kAnyTime : kAfterAction;
}

RuleUse VerificationRule::use() const {
  const auto* invariant = std::get_if<InvariantRule>(&payload);
  return invariant != nullptr ? UseOf(invariant->name) : traits().use;
}

std::optional<TextInput> SecretOf(const ValueCheck& check) {
  return check.expected ? SecretNamed(*check.expected) : std::nullopt;
}

std::optional<RuleFlaw> FlawOf(const VerificationRule& rule) {
  if (rule.payload.index() != rule.traits().payload)
    return Say("", "the payload is of another type");
  return std::visit(PayloadRules{rule.type}, rule.payload);
}

Result<void> VerificationRule::Validate() const {
  const Flaw flaw = FlawOf(*this);
  if (!flaw) return {};
  const std::string_view colon = flaw->field.empty() ? "" : ": ";
  return Fail(ErrorCode::kInvalidContract,
              fmt::format("{}: {}{}{}", traits().name, flaw->field, colon, flaw->why));
}

}  // namespace falconer::model
