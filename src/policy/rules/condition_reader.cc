#include "policy/rules/condition_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <variant>

#include "base/text.h"
#include "base/units.h"
#include "policy/rules/fact_questions.h"
#include "policy/rules/fold_text.h"

namespace falconer::policy {
namespace {

constexpr std::int64_t kMaxBodyLimit = std::int64_t{1} << 50;

constexpr EnumName<int> kWeekdays[] = {{0, "mon"}, {1, "tue"}, {2, "wed"}, {3, "thu"},
                                       {4, "fri"}, {5, "sat"}, {6, "sun"}};

Condition Group(Condition::Kind kind, std::vector<Condition> children, std::string path) {
  // A group of one is that one, so that it has one canonical form.
  if (kind != Condition::Kind::kNot && children.size() == 1) return std::move(children.front());
  return {.kind = kind, .children = std::move(children), .question = {}, .path = std::move(path)};
}

// in and not_in of something whose words `add` turns into a set; a plain word or list means in.
template <typename Set, typename ReadSet>
Result<Set> ReadMembership(const Spot& spot, ReadSet read, Set everything) {
  if (!spot.is_map()) return read(spot);
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  Set set = everything;
  if (const auto among = in.Optional("in")) {
    TRY_ASSIGN(set, read(*among));
  }
  if (const auto others = in.Optional("not_in")) {
    TRY_ASSIGN(const Set refused, read(*others));
    set = set - refused;
  }
  TRY(in.Done());
  return set;
}

Result<model::CapabilitySet> ReadCapabilityWords(const Spot& spot) {
  TRY_ASSIGN(const auto words, ReadTextOrTexts(spot));
  model::CapabilitySet set;
  for (const std::string& word : words) {
    const auto named = model::CapabilitiesNamed(word);
    if (!named) return spot.Refuse(fmt::format("\"{}\" is no capability", word));
    set = set | *named;
  }
  return set;
}

Result<Condition> ReadCapability(const Spot& spot) {
  model::CapabilitySet all;
  for (const auto& row : model::kCapabilities) all.Add(row.value);
  TRY_ASSIGN(const model::CapabilitySet set, ReadMembership(spot, ReadCapabilityWords, all));
  if (set.empty()) return spot.Refuse("no capability is left");
  return Ask(spot, CapabilityQuestion{set});
}

// Bits of action types, with the subtraction that membership needs.
struct ActionBits {
  std::uint64_t bits = 0;
  ActionBits operator-(ActionBits other) const { return {bits & ~other.bits}; }
};

ActionBits ActionsMatching(std::string_view glob) {
  ActionBits out;
  for (const model::ActionTraits& row : model::AllActionTypes()) {
    if (GlobMatches(glob, row.name)) out.bits |= std::uint64_t{1} << std::to_underlying(row.type);
  }
  return out;
}

Result<ActionBits> ReadActionWords(const Spot& spot) {
  TRY_ASSIGN(const auto words, ReadTextOrTexts(spot));
  ActionBits out;
  for (const std::string& word : words) {
    const auto type = model::ActionTypeNamed(word);
    if (!type) return spot.Refuse(fmt::format("there is no action \"{}\"", word));
    out.bits |= std::uint64_t{1} << std::to_underlying(*type);
  }
  return out;
}

Result<Condition> ReadAction(const Spot& spot) {
  ActionBits set = ActionsMatching("*");
  if (spot.is_map()) {
    TRY_ASSIGN(MapReader in, MapReader::Open(spot));
    if (const auto among = in.Optional("in")) {
      TRY_ASSIGN(set, ReadActionWords(*among));
    }
    if (const auto others = in.Optional("not_in")) {
      TRY_ASSIGN(const ActionBits refused, ReadActionWords(*others));
      set = set - refused;
    }
    if (const auto glob = in.Optional("matches")) {
      TRY_ASSIGN(const std::string text, ReadText(*glob));
      const ActionBits matching = ActionsMatching(text);
      if (matching.bits == 0) return glob->Refuse(fmt::format("\"{}\" matches no action", text));
      set.bits &= matching.bits;
    }
    TRY(in.Done());
  } else {
    TRY_ASSIGN(set, ReadActionWords(spot));
  }
  if (set.bits == 0) return spot.Refuse("no action is left");
  return Ask(spot, ActionQuestion{set.bits});
}

// gt, gte, lt, lte and eq, each read by `read`; refuses limits that nothing can meet.
template <typename Read>
Result<NumberLimits> ReadLimits(MapReader& in, Read read) {
  NumberLimits limits;
  const std::pair<std::string_view, std::optional<std::int64_t>*> rows[] = {{"gt", &limits.gt},
                                                                            {"gte", &limits.gte},
                                                                            {"lt", &limits.lt},
                                                                            {"lte", &limits.lte},
                                                                            {"eq", &limits.eq}};
  for (const auto& [name, limit] : rows) {
    if (const auto spot = in.Optional(name)) {
      TRY_ASSIGN(*limit, read(*spot));
    }
  }
  const bool has_two = (limits.gt && limits.gte) || (limits.lt && limits.lte) ||
                       (limits.eq && (limits.gt || limits.gte || limits.lt || limits.lte));
  if (has_two) return in.spot().Refuse("the same bound is given twice");
  const std::optional<std::int64_t> low = limits.gt ? limits.gt : limits.gte;
  const std::optional<std::int64_t> high = limits.lt ? limits.lt : limits.lte;
  const bool is_closed = limits.gte && limits.lte;
  if (low && high && (*low > *high || (*low == *high && !is_closed))) {
    return in.spot().Refuse("the bounds leave nothing between them");
  }
  return limits;
}

Result<std::int64_t> ReadSize(const Spot& spot) {
  if (!spot.is_text()) return spot.Expected("a size");
  const std::optional<std::int64_t> bytes = ParseBytes(spot.node->text);
  if (!bytes || *bytes > kMaxBodyLimit) return spot.Refuse("expected a size such as 64KiB");
  return *bytes;
}

Result<Condition> ReadBodyBytes(const Spot& spot) {
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  TRY_ASSIGN(const NumberLimits limits, ReadLimits(in, ReadSize));
  TRY(in.Done());
  return Ask(spot, BodyQuestion{limits});
}

// "09:30" as a minute of the day; "24:00" is its end.
Result<int> ReadClock(const Spot& spot) {
  TRY_ASSIGN(const std::string text, ReadText(spot));
  const bool is_clock = text.size() == 5 && text[2] == ':' && IsDigit(text[0]) &&
                        IsDigit(text[1]) && IsDigit(text[3]) && IsDigit(text[4]);
  const int hour = is_clock ? (text[0] - '0') * 10 + (text[1] - '0') : -1;
  const int minute = is_clock ? (text[3] - '0') * 10 + (text[4] - '0') : -1;
  const bool is_end = hour == 24 && minute == 0;
  if (!is_clock || minute > 59 || (hour > 23 && !is_end)) {
    return spot.Refuse("expected a time of day such as \"09:30\"");
  }
  return hour * 60 + minute;
}

Result<Condition> ReadRisk(const Spot& spot) {
  if (!spot.is_map()) {
    TRY_ASSIGN(const std::uint64_t bits, ReadEnumBits(spot, model::kRiskLevels));
    return Ask(spot, RiskQuestion{static_cast<std::uint8_t>(bits)});
  }
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  TRY_ASSIGN(const Spot least, in.Required("gte"));
  TRY(in.Done());
  TRY_ASSIGN(const model::RiskLevel level, ReadEnum(least, model::kRiskLevels));
  const unsigned all = (1U << std::size(model::kRiskLevels)) - 1;
  const unsigned below = (1U << std::to_underlying(level)) - 1;
  return Ask(spot, RiskQuestion{static_cast<std::uint8_t>(all & ~below)});
}

Result<Condition> ReadFieldKinds(const Spot& spot) {
  TRY_ASSIGN(const std::uint64_t bits, ReadEnumBits(spot, model::kFieldKinds));
  FieldQuestion question;
  for (const auto& [kind, name] : model::kFieldKinds) {
    if ((bits >> std::to_underlying(kind) & 1) != 0) question.among.Add(kind);
  }
  return Ask(spot, question);
}

using ReadLeaf = Result<Condition> (*)(const Spot& spot);

template <HostFact fact>
Result<Condition> ReadHostOf(const Spot& spot) {
  return ReadHost(spot, fact);
}

Result<Condition> ReadTenant(const Spot& spot) {
  return ReadTextQuestion(spot, TextFact::kTenant);
}

// Facts of a group that are not texts.
struct GroupExtra {
  std::string_view group;
  std::string_view key;
  ReadLeaf read;
};

constexpr GroupExtra kGroupExtras[] = {
    {"element", "field", &ReadFieldKinds},
    {"request", "body_bytes", &ReadBodyBytes},
    {"request", "host", &ReadHostOf<HostFact::kRequestHost>},
};

// A map of facts of the group that is the spot's key; all must hold. A plain word is the agent's
// id.
Result<Condition> ReadFactGroup(const Spot& spot) {
  const std::string_view group = spot.key->text;
  if (group == "agent" && !spot.is_map()) return ReadTextQuestion(spot, TextFact::kAgent);
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  std::vector<Condition> parts;
  for (const TextFactRow& row : AllTextFacts()) {
    if (row.group != group) continue;
    if (const auto member = in.Optional(row.key)) {
      TRY_ASSIGN(Condition part, ReadTextQuestion(*member, row.fact));
      parts.push_back(std::move(part));
    }
  }
  for (const GroupExtra& extra : kGroupExtras) {
    if (extra.group != group) continue;
    if (const auto member = in.Optional(extra.key)) {
      TRY_ASSIGN(Condition part, extra.read(*member));
      parts.push_back(std::move(part));
    }
  }
  TRY(in.Done());
  return Group(Condition::Kind::kAll, std::move(parts), spot.path);
}

}  // namespace

Result<std::int64_t> ReadTenThousandths(const Spot& spot) {
  if (!spot.is_text()) return spot.Expected("an amount");
  const std::optional<std::int64_t> value = model::ParseTenThousandths(spot.node->text);
  if (!value || *value < 0) {
    return spot.Refuse("expected an amount such as 500 or 99.90, with at most four decimals");
  }
  return *value;
}

Result<std::string> ReadCurrency(const Spot& spot) {
  TRY_ASSIGN(std::string code, ReadText(spot));
  if (!model::IsCurrencyCode(code)) {
    return spot.Refuse("expected an ISO 4217 currency code such as USD");
  }
  return code;
}

Result<Condition> ConditionReader::ReadAmount(const Spot& spot) const {
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  AmountQuestion question;
  TRY_ASSIGN(question.limits, ReadLimits(in, ReadTenThousandths));
  if (const auto known = in.Optional("known")) {
    TRY_ASSIGN(question.known, ReadBool(*known));
  }
  const auto currency = in.Optional("currency");
  TRY(in.Done());
  if (question.limits.empty()) {
    if (!question.known || currency) return spot.Refuse("compares the amount with nothing");
    return Ask(spot, std::move(question));
  }
  if (question.known == false) return spot.Refuse("an unknown amount cannot be compared");
  question.currency = defaults_.currency;
  if (currency) {
    TRY_ASSIGN(question.currency, ReadCurrency(*currency));
  }
  if (question.currency.empty()) {
    return spot.Refuse("lacks \"currency\", and defaults.currency is not given");
  }
  return Ask(spot, std::move(question));
}

Result<Condition> ConditionReader::ReadTime(const Spot& spot) const {
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  TimeQuestion question{.zone_name = defaults_.timezone};
  if (const auto after = in.Optional("after")) {
    TRY_ASSIGN(question.after, ReadClock(*after));
  }
  if (const auto before = in.Optional("before")) {
    TRY_ASSIGN(question.before, ReadClock(*before));
  }
  if (const auto days = in.Optional("days")) {
    TRY_ASSIGN(const std::uint64_t bits, ReadEnumBits(*days, kWeekdays));
    question.days = static_cast<std::uint8_t>(bits);
  }
  const auto zone = in.Optional("timezone");
  TRY(in.Done());
  if (zone) {
    TRY_ASSIGN(question.zone_name, ReadText(*zone));
  }
  if (!question.after && !question.before && question.days == 0) {
    return spot.Refuse("says neither after, before nor days");
  }
  if (question.after && question.after == question.before) {
    return spot.Refuse("after and before are the same");
  }
  if (question.zone_name.empty()) {
    return spot.Refuse("lacks \"timezone\", and defaults.timezone is not given");
  }
  const auto index = zones_.Find(question.zone_name);
  if (!index) return (zone ? *zone : spot).Refuse(index.error().message());
  question.zone = *index;
  return Ask(spot, std::move(question));
}

Result<Condition> ConditionReader::ReadGroup(const Spot& spot, Condition::Kind kind,
                                             int depth) const {
  std::vector<Condition> children;
  if (kind == Condition::Kind::kNot) {
    TRY_ASSIGN(Condition child, Read(spot, depth + 1));
    children.push_back(std::move(child));
  } else {
    TRY_ASSIGN(const std::vector<Spot> items, ReadItems(spot));
    for (const Spot& item : items) {
      TRY_ASSIGN(Condition child, Read(item, depth + 1));
      children.push_back(std::move(child));
    }
  }
  return Group(kind, std::move(children), spot.path);
}

// What a member of a condition is read by: groups by their kind, facts by functions, those with
// defaults by functions of the reader.
struct ConditionReader::MemberRow {
  using ReadWithDefaults = Result<Condition> (ConditionReader::*)(const Spot& spot) const;

  std::string_view key;
  std::variant<Condition::Kind, ReadLeaf, ReadWithDefaults> read;
};

constexpr ConditionReader::MemberRow ConditionReader::kMembers[] = {
    {"all", Condition::Kind::kAll},
    {"any", Condition::Kind::kAny},
    {"not", Condition::Kind::kNot},
    {"capability", &ReadCapability},
    {"domain", &ReadHostOf<HostFact::kDomain>},
    {"from_domain", &ReadHostOf<HostFact::kFromDomain>},
    {"amount", &ConditionReader::ReadAmount},
    {"time", &ConditionReader::ReadTime},
    {"tenant", &ReadTenant},
    {"agent", &ReadFactGroup},
    {"action", &ReadAction},
    {"risk", &ReadRisk},
    {"element", &ReadFactGroup},
    {"request", &ReadFactGroup},
};

Result<Condition> ConditionReader::ReadMember(const Spot& spot, int depth) const {
  const auto* row = std::ranges::find(kMembers, spot.key->text, &MemberRow::key);
  if (row == std::end(kMembers)) {
    std::vector<std::string_view> keys;
    for (const MemberRow& known : kMembers) keys.push_back(known.key);
    return Fail(YamlError(*spot.key, spot.path,
                          fmt::format("unknown condition; known are {}", fmt::join(keys, ", "))));
  }
  if (const auto* kind = std::get_if<Condition::Kind>(&row->read))
    return ReadGroup(spot, *kind, depth);
  if (const auto* leaf = std::get_if<ReadLeaf>(&row->read)) return (*leaf)(spot);
  return (this->*std::get<MemberRow::ReadWithDefaults>(row->read))(spot);
}

Result<Condition> ConditionReader::Read(const Spot& spot, int depth) const {
  if (depth > kMaxConditionDepth) {
    return spot.Refuse(fmt::format("conditions are nested too deep: at most {} levels are allowed",
                                   kMaxConditionDepth));
  }
  if (spot.is_text()) {
    if (spot.node->text != "always") return spot.Refuse("expected conditions, or always");
    return Condition{.path = spot.path};
  }
  if (!spot.is_map()) return spot.Expected("a map of conditions, or always");
  if (spot.node->members.empty()) return spot.Refuse("the condition is empty; say always if meant");
  std::vector<Condition> parts;
  for (const auto& [key, value] : spot.node->members) {
    const Spot member{.node = &value, .key = &key, .path = spot.path + "." + key.text};
    TRY_ASSIGN(Condition part, ReadMember(member, depth));
    parts.push_back(std::move(part));
  }
  return Group(Condition::Kind::kAll, std::move(parts), spot.path);
}

}  // namespace falconer::policy
