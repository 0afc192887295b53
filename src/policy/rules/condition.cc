#include "policy/rules/condition.h"

#include <fmt/format.h>
#include <utility>

#include "model/action/action_type.h"

namespace falconer::policy {
namespace {

constexpr TextFactRow kTextFacts[] = {
    {TextFact::kTenant, "", "tenant", TextForm::kExact},
    {TextFact::kAgent, "agent", "id", TextForm::kExact},
    {TextFact::kAgentTier, "agent", "tier", TextForm::kExact},
    {TextFact::kElementRole, "element", "role", TextForm::kFolded},
    {TextFact::kElementName, "element", "name", TextForm::kFolded},
    {TextFact::kElementLabel, "element", "label", TextForm::kFolded},
    {TextFact::kElementTag, "element", "tag", TextForm::kFolded},
    {TextFact::kElementType, "element", "type", TextForm::kFolded},
    {TextFact::kElementIdentifier, "element", "identifier", TextForm::kFolded},
    {TextFact::kElementHref, "element", "href", TextForm::kExact},
    {TextFact::kFormAction, "element", "form_action", TextForm::kExact},
    {TextFact::kFormMethod, "element", "form_method", TextForm::kFolded},
    {TextFact::kFormName, "element", "form_name", TextForm::kFolded},
    {TextFact::kRequestMethod, "request", "method", TextForm::kFolded},
    {TextFact::kRequestPath, "request", "path", TextForm::kExact},
    {TextFact::kRequestContentType, "request", "content_type", TextForm::kFolded},
    {TextFact::kRequestResourceType, "request", "resource_type", TextForm::kFolded},
};
static_assert(std::size(kTextFacts) == kTextFactCount);

constexpr std::string_view kDayKeys[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};

json::array Texts(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

json::array Patterns(const std::vector<HostPattern>& patterns) {
  json::array out;
  for (const HostPattern& pattern : patterns) out.emplace_back(pattern.text());
  return out;
}

// The names of the values whose bits are set.
template <typename E, std::size_t N>
json::array NamesOf(const EnumName<E> (&table)[N], std::uint64_t bits) {
  json::array out;
  for (const EnumName<E>& row : table) {
    if ((bits >> std::to_underlying(row.value) & 1) != 0) out.emplace_back(row.name);
  }
  return out;
}

// How a limit is written.
using NumberWriter = std::string (*)(std::int64_t);

// As text: a canonical number holds only 53 bits.
std::string PlainNumber(std::int64_t value) {
  return std::to_string(value);
}

std::string DecimalAmount(std::int64_t ten_thousandths) {
  return model::Money{.ten_thousandths = ten_thousandths, .currency = ""}.ToText();
}

std::string ClockTime(int minute) {
  return fmt::format("{:02}:{:02}", minute / 60, minute % 60);
}

void PutLimits(json::object& out, const NumberLimits& limits, NumberWriter write = PlainNumber) {
  const std::pair<std::string_view, std::optional<std::int64_t>> rows[] = {{"gt", limits.gt},
                                                                           {"gte", limits.gte},
                                                                           {"lt", limits.lt},
                                                                           {"lte", limits.lte},
                                                                           {"eq", limits.eq}};
  for (const auto& [name, limit] : rows) {
    if (limit) out[name] = write(*limit);
  }
}

template <typename List>
void PutList(json::object& out, std::string_view name, const List& list) {
  if (!list.empty()) out[name] = list;
}

void PutText(json::object& out, std::string_view name, const std::string& text) {
  if (!text.empty()) out[name] = text;
}

json::value Wrap(std::string_view key, json::value value) {
  return json::object{{key, std::move(value)}};
}

// What digests are made of stays in the units of the facts; people get what they wrote.
enum class QuestionReader : std::uint8_t { kDigest, kPerson };

struct QuestionWriter {
  QuestionReader reader = QuestionReader::kDigest;

  json::value operator()(std::monostate) const { return nullptr; }
  json::value operator()(const CapabilityQuestion& q) const {
    json::array names;
    for (const std::string_view name : model::CapabilityNames(q.among)) names.emplace_back(name);
    return Wrap("capability", std::move(names));
  }
  json::value operator()(const ActionQuestion& q) const {
    json::array names;
    for (const model::ActionTraits& row : model::AllActionTypes()) {
      if ((q.among >> std::to_underlying(row.type) & 1) != 0) names.emplace_back(row.name);
    }
    return Wrap("action", std::move(names));
  }
  json::value operator()(const HostQuestion& q) const {
    json::object out;
    PutList(out, "in", Patterns(q.in));
    PutList(out, "not_in", Patterns(q.not_in));
    PutText(out, "matches", q.matches);
    return Wrap(NameIn(kHostFacts, q.fact), std::move(out));
  }
  json::value operator()(const TextQuestion& q) const {
    json::object out;
    PutList(out, "in", Texts(q.in));
    PutList(out, "not_in", Texts(q.not_in));
    PutText(out, "matches", q.matches);
    PutText(out, "contains", q.contains);
    if (q.regex) out["regex"] = q.regex->text();
    const TextFactRow& row = RowOf(q.fact);
    json::value inner = Wrap(row.key, std::move(out));
    return row.group.empty() ? inner : Wrap(row.group, std::move(inner));
  }
  json::value operator()(const AmountQuestion& q) const {
    json::object out;
    PutLimits(out, q.limits, is_for_people() ? DecimalAmount : PlainNumber);
    PutText(out, "currency", q.currency);
    if (q.known) out["known"] = *q.known;
    return Wrap("amount", std::move(out));
  }
  json::value operator()(const BodyQuestion& q) const {
    json::object out;
    PutLimits(out, q.limits);
    return Wrap("request", Wrap("body_bytes", std::move(out)));
  }
  json::value operator()(const TimeQuestion& q) const {
    json::object out{{"timezone", q.zone_name}};
    if (q.after) out["after"] = Minute(*q.after);
    if (q.before) out["before"] = Minute(*q.before);
    json::array days;
    for (std::size_t day = 0; day < std::size(kDayKeys); ++day) {
      if ((q.days >> day & 1) != 0) days.emplace_back(kDayKeys[day]);
    }
    PutList(out, "days", days);
    return Wrap("time", std::move(out));
  }
  json::value operator()(const RiskQuestion& q) const {
    return Wrap("risk", NamesOf(model::kRiskLevels, q.among));
  }
  json::value operator()(const FieldQuestion& q) const {
    return Wrap("element", Wrap("field", NamesOf(model::kFieldKinds, q.among.bits())));
  }

 private:
  bool is_for_people() const { return reader == QuestionReader::kPerson; }
  json::value Minute(int minute) const {
    return is_for_people() ? json::value(ClockTime(minute)) : json::value(minute);
  }
};

}  // namespace

const TextFactRow& RowOf(TextFact fact) {
  return kTextFacts[std::to_underlying(fact)];
}

std::span<const TextFactRow> AllTextFacts() {
  return kTextFacts;
}

bool NumberLimits::Contain(std::int64_t value) const {
  return (!gt || value > *gt) && (!gte || value >= *gte) && (!lt || value < *lt) &&
         (!lte || value <= *lte) && (!eq || value == *eq);
}

json::value Condition::ToJson() const {
  if (kind == Kind::kAlways) return "always";
  if (kind == Kind::kQuestion) return std::visit(QuestionWriter(), question);
  if (kind == Kind::kNot) return Wrap("not", children.front().ToJson());
  json::array parts;
  for (const Condition& child : children) parts.push_back(child.ToJson());
  return Wrap(kind == Kind::kAll ? "all" : "any", std::move(parts));
}

std::string Condition::Asked() const {
  return json::serialize(std::visit(QuestionWriter{QuestionReader::kPerson}, question));
}

}  // namespace falconer::policy
