// PolicyFacts as JSON.

#include <utility>

#include "model/policy_facts.h"

namespace falconer::model {
namespace {

struct TextRow {
  std::string_view key;
  const std::string& text;
};

void PutTexts(json::object& out, std::initializer_list<TextRow> rows) {
  for (const TextRow& row : rows) {
    if (!row.text.empty()) out[row.key] = row.text;
  }
}

template <typename E, std::size_t N>
json::array NamesOfSet(const EnumName<E> (&table)[N], EnumSet<E> set) {
  json::array names;
  for (const EnumName<E>& row : table) {
    if (set.Contains(row.value)) names.emplace_back(row.name);
  }
  return names;
}

template <typename E, std::size_t N>
EnumSet<E> SetNamed(JsonReader& in, std::string_view key, const EnumName<E> (&table)[N]) {
  EnumSet<E> set;
  for (const std::string& name : in.OptionalStrings(key).value_or(std::vector<std::string>())) {
    const std::optional<E> value = ValueIn(table, name);
    if (value) {
      set.Add(*value);
    } else {
      in.Reject(key, "unknown word");
    }
  }
  return set;
}

std::int64_t MillisecondsOf(std::chrono::system_clock::time_point time) {
  return std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

json::object FormJson(const FormFacts& form) {
  json::object out;
  PutTexts(out, {{"action", form.action},
                 {"method", form.method},
                 {"name", form.name},
                 {"role", form.role},
                 {"submit", form.submit}});
  if (!form.kinds.empty()) out["kinds"] = NamesOfSet(kFieldKinds, form.kinds);
  return out;
}

json::object ElementJson(const ElementFacts& element) {
  json::object out;
  PutTexts(out, {{"role", element.role},
                 {"name", element.name},
                 {"label", element.label},
                 {"tag", element.tag},
                 {"type", element.type},
                 {"identifier", element.identifier},
                 {"href", element.href},
                 {"frame_url", element.frame_url}});
  if (element.form) out["form"] = FormJson(*element.form);
  return out;
}

json::object RequestJson(const RequestFacts& request) {
  json::object out;
  PutTexts(out, {{"method", request.method},
                 {"method_override", request.method_override},
                 {"url", request.url},
                 {"content_type", request.content_type},
                 {"resource_type", request.resource_type}});
  if (request.body_bytes > 0) out["body_bytes"] = static_cast<std::int64_t>(request.body_bytes);
  if (!request.is_body_whole) out["is_body_whole"] = false;
  return out;
}

std::string TextOr(JsonReader& in, std::string_view key) {
  return in.OptionalString(key).value_or("");
}

FormFacts ReadFormFacts(JsonReader& in) {
  return {.action = TextOr(in, "action"),
          .method = TextOr(in, "method"),
          .name = TextOr(in, "name"),
          .role = TextOr(in, "role"),
          .submit = TextOr(in, "submit"),
          .fields = {},
          .kinds = SetNamed(in, "kinds", kFieldKinds)};
}

ElementFacts ReadElementFacts(JsonReader& in) {
  return {.role = TextOr(in, "role"),
          .name = TextOr(in, "name"),
          .label = TextOr(in, "label"),
          .tag = TextOr(in, "tag"),
          .type = TextOr(in, "type"),
          .identifier = TextOr(in, "identifier"),
          .href = TextOr(in, "href"),
          .page_url = "",
          .frame_url = TextOr(in, "frame_url"),
          .form = in.OptionalObject("form", ReadFormFacts)};
}

RequestFacts ReadRequestFacts(JsonReader& in) {
  constexpr Bounds<std::int64_t> kSizes = {0, std::int64_t{1} << 53};
  return {.method = TextOr(in, "method"),
          .method_override = TextOr(in, "method_override"),
          .url = TextOr(in, "url"),
          .content_type = TextOr(in, "content_type"),
          .resource_type = TextOr(in, "resource_type"),
          .body = "",
          .body_bytes =
              static_cast<std::uint64_t>(in.OptionalInteger("body_bytes", kSizes).value_or(0)),
          .is_body_whole = in.OptionalBool("is_body_whole").value_or(true)};
}

std::optional<Money> ReadMoneyFact(JsonReader& in) {
  const std::optional<std::string> text = in.OptionalString("amount");
  if (!text) return std::nullopt;
  const std::size_t space = std::min(text->find(' '), text->size());
  const auto value = ParseTenThousandths(text->substr(0, space));
  const std::string currency = space < text->size() ? text->substr(space + 1) : "";
  if (!value || (!currency.empty() && !IsCurrencyCode(currency))) {
    in.Reject("amount", "expected an amount such as \"12.50 USD\"");
    return std::nullopt;
  }
  return Money{.ten_thousandths = *value, .currency = currency};
}

std::optional<ActionType> ReadActionFact(JsonReader& in) {
  const std::optional<std::string> name = in.OptionalString("action");
  if (!name) return std::nullopt;
  const std::optional<ActionType> type = ActionTypeNamed(*name);
  if (!type) in.Reject("action", "unknown word");
  return type;
}

PolicyFacts ReadPolicyFacts(JsonReader& in) {
  PolicyFacts facts;
  facts.tenant = TextOr(in, "tenant");
  facts.agent = TextOr(in, "agent");
  facts.agent_tier = TextOr(in, "agent_tier");
  facts.capabilities = SetNamed(in, "capabilities", kCapabilities);
  facts.action = ReadActionFact(in);
  facts.url = TextOr(in, "url");
  facts.page_url = TextOr(in, "page_url");
  facts.amount = ReadMoneyFact(in);
  facts.risk = in.OptionalEnum("risk", kRiskLevels).value_or(RiskLevel::kLow);
  facts.now = std::chrono::system_clock::time_point(in.Milliseconds("now_ms"));
  if (const auto began = in.OptionalMilliseconds("began_ms"))
    facts.began = std::chrono::system_clock::time_point(*began);
  facts.element = in.OptionalObject("element", ReadElementFacts);
  facts.request = in.OptionalObject("request", ReadRequestFacts);
  return facts;
}

}  // namespace

json::object PolicyFacts::ToJson() const {
  json::object out{{"now_ms", MillisecondsOf(now)},
                   {"capabilities", NamesOfSet(kCapabilities, capabilities)},
                   {"risk", NameIn(kRiskLevels, risk)}};
  PutTexts(out, {{"tenant", tenant},
                 {"agent", agent},
                 {"agent_tier", agent_tier},
                 {"url", url},
                 {"page_url", page_url}});
  if (began) out["began_ms"] = MillisecondsOf(*began);
  if (action) out["action"] = ActionName(*action);
  if (amount) out["amount"] = amount->ToText();
  if (element) out["element"] = ElementJson(*element);
  if (request) out["request"] = RequestJson(*request);
  return out;
}

Result<PolicyFacts> PolicyFacts::FromJson(const json::value& value, std::string path) {
  return ReadJson(value, std::move(path), ReadPolicyFacts);
}

}  // namespace falconer::model
