#include "agent/tools/schema_keywords.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "base/suggest.h"

namespace falconer::agent {
namespace {

using Finding = std::optional<SchemaFinding>;

// Longer lists of what is allowed help nobody.
constexpr std::size_t kMostListed = 20;

Finding Wrong(const SchemaCase& at, std::string what) {
  return SchemaFinding{at.path, std::move(what)};
}

bool IsAny(const json::value&) {
  return true;
}

bool IsText(const json::value& operand) {
  return operand.is_string();
}

bool IsNumberOperand(const json::value& operand) {
  return operand.is_number();
}

bool IsCount(const json::value& operand) {
  return (operand.is_int64() && operand.get_int64() >= 0) || operand.is_uint64();
}

bool IsSchema(const json::value& operand) {
  return operand.is_object() || operand.is_bool();
}

bool IsSchemaMap(const json::value& operand) {
  return operand.is_object();
}

bool IsSchemaList(const json::value& operand) {
  return operand.is_array() && !operand.get_array().empty();
}

bool IsList(const json::value& operand) {
  return operand.is_array();
}

bool IsTextList(const json::value& operand) {
  return operand.is_array() && std::ranges::all_of(operand.get_array(), IsText);
}

bool IsWhole(const json::value& value) {
  if (value.is_int64() || value.is_uint64()) return true;
  return value.is_double() && std::trunc(value.get_double()) == value.get_double();
}

struct TypeRow {
  std::string_view name;
  bool (*holds)(const json::value& value);
};

constexpr TypeRow kTypes[] = {
    {"string", [](const json::value& value) { return value.is_string(); }},
    {"boolean", [](const json::value& value) { return value.is_bool(); }},
    {"integer", IsWhole},
    {"number", [](const json::value& value) { return value.is_number(); }},
    {"object", [](const json::value& value) { return value.is_object(); }},
    {"array", [](const json::value& value) { return value.is_array(); }},
    {"null", [](const json::value& value) { return value.is_null(); }},
};

// Null for a type that does not exist.
const TypeRow* TypeNamed(const json::value& name) {
  if (!name.is_string()) return nullptr;
  const auto* const row =
      std::ranges::find(kTypes, std::string_view(name.get_string()), &TypeRow::name);
  return row == std::end(kTypes) ? nullptr : row;
}

bool IsTypes(const json::value& operand) {
  if (!operand.is_array()) return TypeNamed(operand) != nullptr;
  return !operand.get_array().empty() &&
         std::ranges::all_of(operand.get_array(),
                             [](const json::value& name) { return TypeNamed(name) != nullptr; });
}

std::string TypeOf(const json::value& value) {
  const std::string_view name = JsonTypeName(value);
  return std::string(name == "bool" ? "boolean" : name);
}

Finding CheckType(const SchemaCase& at, const json::value& operand) {
  const json::array one{operand};
  const json::array& types = operand.is_array() ? operand.get_array() : one;
  std::string expected;
  for (const json::value& name : types) {
    const TypeRow* row = TypeNamed(name);
    // Of a schema that was let through.
    if (row == nullptr || row->holds(at.value)) return std::nullopt;
    if (!expected.empty()) expected += " or ";
    expected += row->name;
  }
  if (expected == "integer" && at.value.is_number())
    return Wrong(at, "expected integer, got a number that is not whole");
  return Wrong(at, fmt::format("expected {}, got {}", expected, TypeOf(at.value)));
}

std::vector<std::string> TextsIn(const json::array& list) {
  std::vector<std::string> texts;
  for (const json::value& item : list) {
    if (item.is_string()) texts.emplace_back(item.get_string());
  }
  return texts;
}

std::string Meant(const json::value& word, const std::vector<std::string>& known) {
  if (!word.is_string()) return "";
  const auto meant = Closest(word.get_string(), known);
  return meant ? fmt::format("; did you mean \"{}\"?", *meant) : "";
}

std::string Listed(std::vector<std::string> names) {
  if (names.size() > kMostListed) names.resize(kMostListed);
  return fmt::format("\"{}\"", fmt::join(names, "\", \""));
}

Finding CheckEnum(const SchemaCase& at, const json::value& operand) {
  if (!operand.is_array()) return std::nullopt;
  const json::array& allowed = operand.get_array();
  if (std::ranges::find(allowed, at.value) != allowed.end()) return std::nullopt;
  const auto texts = TextsIn(allowed);
  const std::string list =
      texts.size() == allowed.size() ? Listed(texts) : json::serialize(allowed);
  return Wrong(at, fmt::format("expected one of {}{}", list, Meant(at.value, texts)));
}

Finding CheckConst(const SchemaCase& at, const json::value& operand) {
  if (at.value == operand) return std::nullopt;
  return Wrong(at, "expected " + json::serialize(operand));
}

// How a member is named in messages.
std::string Below(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

bool AllowsNull(const json::value& schema) {
  if (!schema.is_object()) return true;
  const json::value* type = schema.get_object().if_contains("type");
  return type != nullptr && !CheckType({schema.get_object(), json::value(), ""}, *type);
}

bool IsRequired(const json::object& schema, std::string_view name) {
  const json::value* required = schema.if_contains("required");
  return required != nullptr && required->is_array() &&
         std::ranges::any_of(required->get_array(), [name](const json::value& item) {
           return item.is_string() && item.get_string() == name;
         });
}

Finding CheckProperties(const SchemaCase& at, const json::value& operand) {
  if (!at.value.is_object() || !operand.is_object()) return std::nullopt;
  for (const auto& [name, schema] : operand.get_object()) {
    const json::value* value = at.value.get_object().if_contains(name);
    if (value == nullptr) continue;
    // Models write null for what they leave out.
    if (value->is_null() && !IsRequired(at.schema, name) && !AllowsNull(schema)) continue;
    if (auto wrong = CheckValue(schema, *value, Below(at.path, name))) return wrong;
  }
  return std::nullopt;
}

Finding CheckRequired(const SchemaCase& at, const json::value& operand) {
  if (!at.value.is_object() || !operand.is_array()) return std::nullopt;
  for (const json::value& name : operand.get_array()) {
    if (name.is_string() && !at.value.get_object().contains(name.get_string()))
      return SchemaFinding{Below(at.path, name.get_string()), "is required"};
  }
  return std::nullopt;
}

std::vector<std::string> KnownMembers(const json::object& schema) {
  std::vector<std::string> names;
  const json::value* known = schema.if_contains("properties");
  if (known == nullptr || !known->is_object()) return names;
  for (const auto& [name, inner] : known->get_object()) names.emplace_back(name);
  return names;
}

Finding CheckAdditional(const SchemaCase& at, const json::value& operand) {
  if (!at.value.is_object()) return std::nullopt;
  const std::vector<std::string> known = KnownMembers(at.schema);
  for (const auto& [name, value] : at.value.get_object()) {
    if (std::ranges::find(known, std::string_view(name)) != known.end()) continue;
    const std::string path = Below(at.path, name);
    if (operand != json::value(false)) {
      if (auto wrong = CheckValue(operand, value, path)) return wrong;
      continue;
    }
    const std::string there =
        known.empty() ? "none is taken" : fmt::format("there are {}", Listed(known));
    return SchemaFinding{
        path, fmt::format("unknown argument, {}{}", there, Meant(json::value(name), known))};
  }
  return std::nullopt;
}

Finding CheckItems(const SchemaCase& at, const json::value& operand) {
  if (!at.value.is_array()) return std::nullopt;
  const json::array& items = at.value.get_array();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (auto wrong = CheckValue(operand, items[i], fmt::format("{}[{}]", at.path, i))) return wrong;
  }
  return std::nullopt;
}

// Only values of one kind are counted or compared; others are the business of `type`.
std::optional<double> NumberOf(const json::value& value) {
  if (!value.is_number()) return std::nullopt;
  return value.to_number<double>();
}

// In characters, as the schema counts.
std::optional<double> LengthOf(const json::value& value) {
  if (!value.is_string()) return std::nullopt;
  const auto is_begin = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80;
  };
  return static_cast<double>(std::ranges::count_if(value.get_string(), is_begin));
}

std::optional<double> CountOf(const json::value& value) {
  if (!value.is_array()) return std::nullopt;
  return static_cast<double>(value.get_array().size());
}

using Measure = std::optional<double> (*)(const json::value& value);
using Holds = bool (*)(double measured, double limit);

constexpr bool AtLeast(double measured, double limit) {
  return measured >= limit;
}
constexpr bool AtMost(double measured, double limit) {
  return measured <= limit;
}
constexpr bool MoreThan(double measured, double limit) {
  return measured > limit;
}
constexpr bool LessThan(double measured, double limit) {
  return measured < limit;
}

struct LimitWords {
  Holds holds;
  std::string_view words;
};

constexpr LimitWords kLimitWords[] = {
    {AtLeast, "at least"}, {AtMost, "at most"}, {MoreThan, "more than"}, {LessThan, "less than"}};

std::string_view UnitOf(Measure measure) {
  if (measure == LengthOf) return " characters";
  return measure == CountOf ? " items" : "";
}

template <Measure measure, Holds holds>
Finding CheckLimit(const SchemaCase& at, const json::value& operand) {
  const auto measured = measure(at.value);
  const auto limit = NumberOf(operand);
  if (!measured || !limit || holds(*measured, *limit)) return std::nullopt;
  const auto* const row = std::ranges::find(kLimitWords, holds, &LimitWords::holds);
  const std::string must = fmt::format("must be {} {}{}", row->words, *limit, UnitOf(measure));
  // A number is a value, which may be secret; how long something is is none.
  return Wrong(at, measure == NumberOf ? must : fmt::format("{}, is {}", must, *measured));
}

// How many of the forms the value has, and what keeps it from the one it comes nearest to.
struct Forms {
  std::size_t fitting = 0;
  Finding nearest;
};

Forms FormsOf(const SchemaCase& at, const json::array& schemas) {
  Forms forms;
  for (const json::value& schema : schemas) {
    auto wrong = CheckValue(schema, at.value, at.path);
    if (!wrong) {
      ++forms.fitting;
    } else if (!forms.nearest || wrong->path.size() > forms.nearest->path.size()) {
      forms.nearest = std::move(wrong);
    }
  }
  return forms;
}

Finding HasNone(const SchemaCase& at, const Forms& forms) {
  if (forms.nearest && forms.nearest->path != at.path) return forms.nearest;
  return Wrong(at, fmt::format("has none of the forms that are taken: {}",
                               forms.nearest ? forms.nearest->what : ""));
}

Finding CheckAnyOf(const SchemaCase& at, const json::value& operand) {
  if (!operand.is_array()) return std::nullopt;
  const Forms forms = FormsOf(at, operand.get_array());
  return forms.fitting > 0 ? std::nullopt : HasNone(at, forms);
}

Finding CheckOneOf(const SchemaCase& at, const json::value& operand) {
  if (!operand.is_array()) return std::nullopt;
  const Forms forms = FormsOf(at, operand.get_array());
  if (forms.fitting == 1) return std::nullopt;
  if (forms.fitting == 0) return HasNone(at, forms);
  return Wrong(at, fmt::format("has {} of the forms of which one is taken", forms.fitting));
}

Finding CheckAllOf(const SchemaCase& at, const json::value& operand) {
  if (!operand.is_array()) return std::nullopt;
  for (const json::value& schema : operand.get_array()) {
    if (auto wrong = CheckValue(schema, at.value, at.path)) return wrong;
  }
  return std::nullopt;
}

// In the order in which they are asked: what is unknown, and what was probably meant, explains most
// of what is missing.
constexpr KeywordRow kKeywords[] = {
    {"type", IsTypes, CheckType},
    {"enum", IsList, CheckEnum},
    {"const", IsAny, CheckConst},
    {"additionalProperties", IsSchema, CheckAdditional, Subschemas::kOne},
    {"required", IsTextList, CheckRequired},
    {"properties", IsSchemaMap, CheckProperties, Subschemas::kMap},
    {"items", IsSchema, CheckItems, Subschemas::kOne},
    {"minimum", IsNumberOperand, CheckLimit<NumberOf, AtLeast>},
    {"maximum", IsNumberOperand, CheckLimit<NumberOf, AtMost>},
    {"exclusiveMinimum", IsNumberOperand, CheckLimit<NumberOf, MoreThan>},
    {"exclusiveMaximum", IsNumberOperand, CheckLimit<NumberOf, LessThan>},
    {"minLength", IsCount, CheckLimit<LengthOf, AtLeast>},
    {"maxLength", IsCount, CheckLimit<LengthOf, AtMost>},
    {"minItems", IsCount, CheckLimit<CountOf, AtLeast>},
    {"maxItems", IsCount, CheckLimit<CountOf, AtMost>},
    {"anyOf", IsSchemaList, CheckAnyOf, Subschemas::kList},
    {"oneOf", IsSchemaList, CheckOneOf, Subschemas::kList},
    {"allOf", IsSchemaList, CheckAllOf, Subschemas::kList},
    {"title", IsText},
    {"description", IsText},
    {"default", IsAny},
    {"examples", IsList},
    {"format", IsText},
    {"deprecated", IsAny},
    {"$schema", IsText},
    {"$id", IsText},
    {"$comment", IsText},
};

}  // namespace

std::span<const KeywordRow> AllKeywords() {
  return kKeywords;
}

const KeywordRow* KeywordNamed(std::string_view name) {
  const auto* const row = std::ranges::find(kKeywords, name, &KeywordRow::name);
  return row == std::end(kKeywords) ? nullptr : row;
}

std::optional<SchemaFinding> CheckValue(const json::value& schema, const json::value& value,
                                        const std::string& path) {
  if (schema.is_bool() && !schema.get_bool()) return SchemaFinding{path, "must not be given"};
  if (!schema.is_object()) return std::nullopt;
  const SchemaCase at{schema.get_object(), value, path};
  for (const KeywordRow& row : kKeywords) {
    const json::value* operand = row.check == nullptr ? nullptr : at.schema.if_contains(row.name);
    if (operand == nullptr) continue;
    if (auto wrong = row.check(at, *operand)) return wrong;
  }
  return std::nullopt;
}

}  // namespace falconer::agent
