#include "policy/rules/rule_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "policy/rules/fact_questions.h"
#include "policy/rules/message_template.h"

namespace falconer::policy {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxRuleName = 128;
constexpr Bounds<std::int64_t> kApproverCounts = {1, 20};
constexpr Bounds<milliseconds> kApprovalTimeouts = {std::chrono::seconds(1),
                                                    std::chrono::hours(24)};
constexpr Bounds<milliseconds> kTimeLimits = {std::chrono::seconds(1), std::chrono::hours(24)};
constexpr Bounds<milliseconds> kRatePeriods = {std::chrono::seconds(1),
                                               std::chrono::hours(24 * 31)};
constexpr Bounds<std::int64_t> kRateCounts = {0, 1'000'000'000};
// What someone writes who means a switch and not a reason.
constexpr std::string_view kSwitchWords[] = {"true", "false", "yes", "no", "on", "off"};

Result<std::string> ReadReason(const Spot& spot) {
  TRY_ASSIGN(std::string reason, ReadText(spot));
  if (std::ranges::find(kSwitchWords, reason) != std::end(kSwitchWords)) {
    return spot.Refuse("a deny needs a reason in words");
  }
  return reason;
}

Result<ApprovalTerms> ReadApproval(const Spot& spot) {
  ApprovalTerms terms;
  if (spot.is_text()) {
    TRY_ASSIGN(terms.who, ReadEnum(spot, model::kApproverRanks));
    return terms;
  }
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  if (const auto who = in.Optional("who")) {
    TRY_ASSIGN(terms.who, ReadEnum(*who, model::kApproverRanks));
  }
  if (const auto count = in.Optional("count")) {
    TRY_ASSIGN(const std::int64_t value, ReadWhole(*count, kApproverCounts));
    terms.count = static_cast<int>(value);
  }
  if (const auto timeout = in.Optional("timeout")) {
    TRY_ASSIGN(terms.timeout, ReadDuration(*timeout, kApprovalTimeouts));
  }
  if (const auto approvers = in.Optional("approvers")) {
    TRY_ASSIGN(terms.approvers, ReadTexts(*approvers));
    if (terms.approvers.size() < static_cast<std::size_t>(terms.count)) {
      return approvers->Refuse(
          fmt::format("names fewer than the {} who must approve", terms.count));
    }
  }
  if (const auto message = in.Optional("message")) {
    TRY_ASSIGN(terms.message, ReadText(*message));
    const auto unknown = UnknownPlaceholder(terms.message);
    if (unknown) return message->Refuse(fmt::format("there is no fact {}", *unknown));
  }
  TRY(in.Done());
  std::ranges::sort(terms.approvers);
  return terms;
}

// "100 USD", or "100" in the policy's own currency.
Result<model::Money> ReadMoney(const Spot& spot, const std::string& default_currency) {
  TRY_ASSIGN(const std::string text, ReadText(spot));
  const std::size_t space = std::min(text.find(' '), text.size());
  const std::string number = text.substr(0, space);
  const std::string currency = space < text.size() ? text.substr(space + 1) : default_currency;
  const std::optional<std::int64_t> value = model::ParseTenThousandths(number);
  if (!value || *value < 0 || !model::IsCurrencyCode(currency)) {
    return spot.Refuse("expected an amount with its currency, such as \"100 USD\"");
  }
  return model::Money{.ten_thousandths = *value, .currency = currency};
}

Result<ConstraintTerms> ReadConstraints(const Spot& spot, const ConditionDefaults& defaults) {
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  ConstraintTerms terms;
  if (const auto amount = in.Optional("max_amount")) {
    TRY_ASSIGN(terms.max_amount, ReadMoney(*amount, defaults.currency));
  }
  if (const auto domains = in.Optional("domains")) {
    TRY_ASSIGN(terms.domains, ReadHostPatterns(*domains));
  }
  if (const auto access = in.Optional("pii_access")) {
    TRY_ASSIGN(terms.pii_access, ReadBool(*access));
  }
  if (const auto limit = in.Optional("time_limit")) {
    TRY_ASSIGN(terms.time_limit, ReadDuration(*limit, kTimeLimits));
  }
  TRY(in.Done());
  return terms;
}

Result<RateTerms> ReadRateLimit(const Spot& spot) {
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  RateTerms terms;
  TRY_ASSIGN(const Spot max, in.Required("max"));
  TRY_ASSIGN(terms.max, ReadWhole(max, kRateCounts));
  TRY_ASSIGN(const Spot period, in.Required("period"));
  TRY_ASSIGN(terms.period, ReadDuration(period, kRatePeriods));
  if (const auto by = in.Optional("by")) {
    TRY_ASSIGN(const std::uint64_t bits, ReadEnumBits(*by, kRateKeys));
    terms.by = {};
    for (const auto& [key, name] : kRateKeys) {
      if ((bits >> std::to_underlying(key) & 1) != 0) terms.by.Add(key);
    }
  }
  TRY(in.Done());
  return terms;
}

// allow: true; anything else is not a way to say no.
Result<void> ReadAllow(const Spot& spot) {
  TRY_ASSIGN(const bool allows, ReadBool(spot));
  if (!allows) return spot.Refuse("to refuse, say deny with a reason");
  return {};
}

Result<void> ReadDecision(MapReader& in, const ConditionDefaults& defaults, Rule& rule) {
  const auto allow = in.Optional("allow");
  const auto deny = in.Optional("deny");
  const auto approval = in.Optional("require_approval");
  const auto constrain = in.Optional("constrain");
  const int count = (deny ? 1 : 0) + (approval ? 1 : 0) + (allow || constrain ? 1 : 0);
  if (count > 1) {
    return in.spot().Refuse("a rule either allows, denies or asks for approval");
  }
  if (allow) {
    TRY(ReadAllow(*allow));
    rule.effect = Effect::kAllow;
  }
  if (constrain) {
    TRY_ASSIGN(rule.constrain, ReadConstraints(*constrain, defaults));
    rule.effect = Effect::kConstrain;
  }
  if (deny) {
    TRY_ASSIGN(rule.reason, ReadReason(*deny));
    rule.effect = Effect::kDeny;
  }
  if (approval) {
    TRY_ASSIGN(rule.approval, ReadApproval(*approval));
    rule.effect = Effect::kRequireApproval;
  }
  return {};
}

Result<void> ReadThen(const Spot& spot, const ConditionDefaults& defaults, Rule& rule) {
  if (spot.is_text()) {
    if (spot.node->text != "allow") return spot.Refuse("expected a map, or allow");
    rule.effect = Effect::kAllow;
    return {};
  }
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  TRY(ReadDecision(in, defaults, rule));
  if (const auto limit = in.Optional("rate_limit")) {
    TRY_ASSIGN(rule.rate_limit, ReadRateLimit(*limit));
  }
  if (const auto audit = in.Optional("audit")) {
    TRY_ASSIGN(rule.audit, ReadAudit(*audit));
  }
  return in.Done();
}

}  // namespace

Result<AuditTerms> ReadAudit(const Spot& spot) {
  AuditTerms terms;
  if (spot.is_text()) {
    TRY_ASSIGN(terms.level, ReadEnum(spot, kAuditLevels));
    return terms;
  }
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  TRY_ASSIGN(const Spot level, in.Required("level"));
  TRY_ASSIGN(terms.level, ReadEnum(level, kAuditLevels));
  if (const auto notify = in.Optional("notify")) {
    TRY_ASSIGN(terms.notify, ReadTexts(*notify));
    std::ranges::sort(terms.notify);
  }
  TRY(in.Done());
  return terms;
}

Result<Rule> ReadRule(const Spot& spot, const ConditionReader& conditions,
                      const ConditionDefaults& defaults) {
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  Rule rule;
  rule.line = spot.node->line;
  TRY_ASSIGN(const Spot name, in.Required("name"));
  TRY_ASSIGN(rule.name, ReadText(name));
  if (rule.name.size() > kMaxRuleName) {
    return name.Refuse(fmt::format("is longer than {} bytes", kMaxRuleName));
  }
  if (const auto description = in.Optional("description")) {
    TRY_ASSIGN(rule.description, ReadText(*description));
  }
  TRY_ASSIGN(const Spot when, in.Required("when"));
  TRY_ASSIGN(rule.when, conditions.Read(when));
  TRY_ASSIGN(const Spot then, in.Required("then"));
  TRY(ReadThen(then, defaults, rule));
  TRY(in.Done());
  return rule;
}

}  // namespace falconer::policy
