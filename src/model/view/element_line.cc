#include "model/view/element_line.h"

#include <fmt/format.h>

#include "model/state/state_fields.h"
#include "model/view/page_view.h"

namespace falconer::model {
namespace {

constexpr std::size_t kMostOptions = 12;
constexpr std::size_t kLongestValue = 80;

struct MarkRow {
  std::string_view name;
  bool (*is_so)(const ElementState&);
};

constexpr MarkRow kMarks[] = {
    {"checked", [](const ElementState& e) { return e.checked == Toggle::kOn; }},
    {"unchecked", [](const ElementState& e) { return e.checked == Toggle::kOff; }},
    {"mixed", [](const ElementState& e) { return e.checked == Toggle::kMixed; }},
    {"pressed", [](const ElementState& e) { return e.pressed == Toggle::kOn; }},
    {"selected", [](const ElementState& e) { return e.selected == true; }},
    {"expanded", [](const ElementState& e) { return e.expanded == true; }},
    {"collapsed", [](const ElementState& e) { return e.expanded == false; }},
    {"required", [](const ElementState& e) { return e.required; }},
    {"readonly", [](const ElementState& e) { return e.readonly; }},
    {"invalid", [](const ElementState& e) { return e.invalid; }},
    {"disabled", [](const ElementState& e) { return !e.enabled; }},
    {"focused", [](const ElementState& e) { return e.focused; }},
    {"covered", [](const ElementState& e) { return e.obscured; }},
    {"secret", [](const ElementState& e) { return e.secret; }},
    {"filled", [](const ElementState& e) { return e.secret && e.filled; }},
};

std::string OptionsOf(const ElementState& element) {
  std::string out;
  for (std::size_t i = 0; i < std::min(element.options.size(), kMostOptions); ++i) {
    const OptionState& option = element.options[i];
    out += fmt::format("{}{}{}", i == 0 ? " {" : " | ", option.selected ? "*" : "",
                       Quoted(option.label, kLongestValue));
  }
  if (out.empty()) return out;
  const std::size_t total = std::max(element.options_total, element.options.size());
  if (total > kMostOptions) out += fmt::format(" | +{}", total - kMostOptions);
  return out + "}";
}

// How a changed field is told. Those that are not here are left out: they concern the driver.
struct ChangeRow {
  std::string_view field;
  std::string_view word;
};

constexpr ChangeRow kChanges[] = {
    {"name", "name"},         {"role", "role"},         {"value_hint", "value"},
    {"checked", "checked"},   {"pressed", "pressed"},   {"selected", "selected"},
    {"expanded", "expanded"}, {"enabled", "enabled"},   {"visible", "visible"},
    {"required", "required"}, {"readonly", "readonly"}, {"invalid", "invalid"},
    {"focused", "focused"},   {"filled", "filled"},     {"description", "description"},
    {"href", "href"},         {"group", "group"},
};

// null stands for the default, which is false except for these.
bool IsTrueByDefault(std::string_view field) {
  return field == "enabled" || field == "visible";
}

std::string ValueText(std::string_view field, const json::value& value) {
  if (value.is_string()) return " " + Quoted(value.get_string(), kLongestValue);
  const bool is_on = value.is_bool() ? value.get_bool() : value.is_null() && IsTrueByDefault(field);
  const bool is_text = field == "value_hint" || field == "name" || field == "description";
  if (value.is_null() && is_text) return " \"\"";
  return is_on ? "" : " no";
}

}  // namespace

std::string ElementLine(const ElementState& element) {
  std::string line = fmt::format("{} {} {}", element.ref, element.role, Quoted(element.name));
  if (!element.value_hint.empty()) line += " = " + Quoted(element.value_hint, kLongestValue);
  for (const MarkRow& mark : kMarks) {
    if (mark.is_so(element)) line += fmt::format(" {}", mark.name);
  }
  if (!element.group.empty()) line += " in " + Quoted(element.group, kLongestValue);
  return line + OptionsOf(element);
}

std::string ElementChange(const std::string& ref, const json::object& fields) {
  std::string changes;
  for (const ChangeRow& row : kChanges) {
    const json::value* value = fields.if_contains(row.field);
    if (value == nullptr) continue;
    changes +=
        fmt::format("{} {}{}", changes.empty() ? "" : ",", row.word, ValueText(row.field, *value));
  }
  return changes.empty() ? "" : ref + changes;
}

std::string TextLine(const TextState& text) {
  std::string words = Quoted(text.text);
  switch (text.kind) {
    case TextKind::kHeading:
      return "# " + words;
    case TextKind::kAlert:
    case TextKind::kStatus:
      return fmt::format("{} {}", NameIn(EnumNames<TextKind>::kTable, text.kind), words);
    default:
      return words;
  }
}

std::string ErrorLine(const ErrorState& error) {
  std::string line = "error " + Quoted(error.text);
  if (!error.field.empty()) line += " " + error.field;
  return line;
}

}  // namespace falconer::model
