#include "app/demo/state_view.h"

#include <algorithm>
#include <fmt/format.h>

namespace falconer::app {
namespace {

// A rule of thumb that holds for English and JSON alike.
constexpr std::size_t kCharactersPerToken = 4;

std::string_view KindName(model::TextKind kind) {
  switch (kind) {
    case model::TextKind::kText:
      return "text";
    case model::TextKind::kHeading:
      return "heading";
    case model::TextKind::kCell:
      return "cell";
    case model::TextKind::kLabel:
      return "label";
    case model::TextKind::kAlert:
      return "alert";
    case model::TextKind::kStatus:
      return "status";
    case model::TextKind::kList:
      return "list";
  }
  return "text";
}

std::string MarksOf(const model::ElementState& element) {
  const std::pair<bool, std::string_view> marks[] = {
      {element.checked == model::Toggle::kOn, "checked"},
      {element.checked == model::Toggle::kOff, "unchecked"},
      {element.required, "required"},
      {element.invalid, "invalid"},
      {!element.enabled, "disabled"},
      {element.focused, "focused"},
      {element.obscured, "obscured"},
  };
  std::string out;
  for (const auto& [is_so, name] : marks) {
    if (is_so) out += fmt::format(" {}", name);
  }
  return out;
}

std::string ElementLine(const model::ElementState& element) {
  const std::string value =
      element.value_hint.empty() ? "" : fmt::format(" = \"{}\"", element.value_hint);
  return fmt::format("{:<7} {} \"{}\"{}{}", element.ref, element.role, element.name, value,
                     MarksOf(element));
}

void AddOmitted(std::vector<std::string>& lines, std::size_t total, std::size_t shown,
                std::string_view what) {
  if (total > shown) lines.push_back(fmt::format("... and {} more {}", total - shown, what));
}

template <typename T>
void AddChange(std::string& out, std::string_view name, const model::ListDelta<T>& list) {
  if (list.empty()) return;
  std::vector<std::string> parts;
  if (list.replace) parts.emplace_back("replaced");
  if (!list.updated.empty()) parts.push_back(fmt::format("{} changed", list.updated.size()));
  if (!list.added.empty()) parts.push_back(fmt::format("{} new", list.added.size()));
  if (!list.removed.empty()) parts.push_back(fmt::format("{} gone", list.removed.size()));
  if (parts.empty()) parts.emplace_back("in another order");
  out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", name, fmt::join(parts, ", "));
}

}  // namespace

std::vector<std::string> StateLines(const model::StructuredState& state, StateViewLimits limits) {
  std::vector<std::string> lines;
  const std::size_t elements = std::min(limits.elements, state.elements.size());
  for (std::size_t i = 0; i < elements; ++i) lines.push_back(ElementLine(state.elements[i]));
  AddOmitted(lines, std::max(state.budget.elements.total, state.elements.size()), elements,
             "elements");
  const std::size_t texts = std::min(limits.texts, state.texts.size());
  for (std::size_t i = 0; i < texts; ++i) {
    lines.push_back(fmt::format("{:<7} {}", KindName(state.texts[i].kind), state.texts[i].text));
  }
  AddOmitted(lines, std::max(state.budget.texts.total, state.texts.size()), texts, "texts");
  return lines;
}

std::string DeltaLine(const model::StateDelta& delta) {
  if (delta.is_full()) return "everything is new";
  std::string out;
  AddChange(out, "elements", delta.elements);
  AddChange(out, "texts", delta.texts);
  AddChange(out, "forms", delta.forms);
  AddChange(out, "errors", delta.errors);
  AddChange(out, "dialogs", delta.dialogs);
  AddChange(out, "tabs", delta.tabs);
  AddChange(out, "downloads", delta.downloads);
  AddChange(out, "frames", delta.frames);
  return out.empty() ? "nothing changed" : out;
}

std::string SizeLine(const json::object& shown) {
  const std::size_t size = json::serialize(shown).size();
  return fmt::format("{} characters, about {} tokens", size, size / kCharactersPerToken);
}

}  // namespace falconer::app
