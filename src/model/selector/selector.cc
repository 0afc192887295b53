#include "model/selector/selector.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "base/text.h"

namespace falconer::model {
namespace {

struct EngineRow {
  Engine engine;
  std::string_view name;
  enum Use : std::uint8_t { kFinds, kFilters } use;
};

constexpr EngineRow kEngines[] = {
    {Engine::kCss, "css", EngineRow::kFinds},
    {Engine::kXpath, "xpath", EngineRow::kFinds},
    {Engine::kText, "text", EngineRow::kFinds},
    {Engine::kRole, "role", EngineRow::kFinds},
    {Engine::kLabel, "label", EngineRow::kFinds},
    {Engine::kPlaceholder, "placeholder", EngineRow::kFinds},
    {Engine::kAlt, "alt", EngineRow::kFinds},
    {Engine::kTitle, "title", EngineRow::kFinds},
    {Engine::kTestId, "testid", EngineRow::kFinds},
    {Engine::kId, "id", EngineRow::kFinds},
    {Engine::kNth, "nth", EngineRow::kFilters},
    {Engine::kVisible, "visible", EngineRow::kFilters},
    {Engine::kHasText, "has-text", EngineRow::kFilters},
    {Engine::kHas, "has", EngineRow::kFilters},
    {Engine::kHasNot, "has-not", EngineRow::kFilters},
    {Engine::kFrame, "frame", EngineRow::kFinds},
};

constexpr EnumName<TriState> kTriStates[] = {
    {TriState::kFalse, "false"},
    {TriState::kTrue, "true"},
    {TriState::kMixed, "mixed"},
};

std::string QuotedBody(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// True when the text can stand without quotes and be read back as it is.
bool IsPlain(std::string_view text) {
  if (text.empty() || Trim(text).size() != text.size()) return false;
  if (text[0] == '"' || text[0] == '\'' || text[0] == '/') return false;
  return text.find_first_of("()") == text.npos && !text.contains(">>");
}

std::string TextBody(const TextMatch& match) {
  if (match.mode == TextMode::kRegex) return "/" + match.text + "/" + match.flags;
  if (match.mode == TextMode::kExact) return QuotedBody(match.text);
  return IsPlain(match.text) ? match.text : QuotedBody(match.text) + "i";
}

std::string RoleBody(const RoleMatch& match) {
  std::string out = match.role;
  const auto attribute = [&out](std::string_view name, std::string_view value) {
    out += fmt::format("[{}={}]", name, value);
  };
  const auto flag = [&](std::string_view name, std::optional<bool> value) {
    if (value) attribute(name, *value ? "true" : "false");
  };
  if (match.name) {
    const bool is_part = match.name->mode == TextMode::kSubstring;
    attribute(is_part ? "name*" : "name",
              is_part ? QuotedBody(match.name->text) : TextBody(*match.name));
  }
  if (match.checked) attribute("checked", NameIn(kTriStates, *match.checked));
  if (match.pressed) attribute("pressed", NameIn(kTriStates, *match.pressed));
  flag("selected", match.selected);
  flag("expanded", match.expanded);
  flag("disabled", match.disabled);
  if (match.level) attribute("level", std::to_string(*match.level));
  if (match.include_hidden) out += "[include-hidden]";
  return out;
}

std::string ChainText(const std::vector<SelectorStep>& steps);

std::string FrameBody(const std::vector<SelectorStep>& steps) {
  const bool is_css = steps.size() == 1 && steps[0].engine == Engine::kCss;
  if (is_css && !steps[0].body.text.starts_with('(')) return steps[0].body.text;
  return "(" + ChainText(steps) + ")";
}

std::string Body(const SelectorStep& step) {
  switch (step.engine) {
    case Engine::kCss:
    case Engine::kXpath:
      return step.body.text;
    case Engine::kTestId:
    case Engine::kId:
      return IsPlain(step.body.text) ? step.body.text : QuotedBody(step.body.text);
    case Engine::kRole:
      return RoleBody(step.role);
    case Engine::kNth:
      return std::to_string(step.index);
    case Engine::kVisible:
      return step.visible ? "true" : "false";
    case Engine::kHas:
    case Engine::kHasNot:
      return "(" + ChainText(step.nested) + ")";
    case Engine::kFrame:
      return FrameBody(step.nested);
    default:
      return TextBody(step.body);
  }
}

std::string ChainText(const std::vector<SelectorStep>& steps) {
  std::string out;
  for (const SelectorStep& step : steps) {
    if (!out.empty()) out += " >> ";
    out += fmt::format("{}={}", EngineName(step.engine), Body(step));
  }
  return out;
}

void WriteMatch(json::object& out, std::string_view key, const TextMatch& match) {
  out[key] = match.text;
  out["mode"] = NameIn(kTextModes, match.mode);
  if (!match.flags.empty()) out["flags"] = match.flags;
}

json::value TriJson(TriState state) {
  if (state == TriState::kMixed) return json::value("mixed");
  return json::value(state == TriState::kTrue);
}

void WriteRole(json::object& out, const RoleMatch& match) {
  out["role"] = match.role;
  if (match.name) WriteMatch(out, "name", *match.name);
  if (match.checked) out["checked"] = TriJson(*match.checked);
  if (match.pressed) out["pressed"] = TriJson(*match.pressed);
  if (match.selected) out["selected"] = *match.selected;
  if (match.expanded) out["expanded"] = *match.expanded;
  if (match.disabled) out["disabled"] = *match.disabled;
  if (match.level) out["level"] = *match.level;
  if (match.include_hidden) out["includeHidden"] = true;
}

json::array ChainJson(const std::vector<SelectorStep>& steps);

json::object StepJson(const SelectorStep& step) {
  json::object out{{"engine", EngineName(step.engine)}};
  switch (step.engine) {
    case Engine::kCss:
    case Engine::kXpath:
    case Engine::kTestId:
    case Engine::kId:
      out["body"] = step.body.text;
      break;
    case Engine::kRole:
      WriteRole(out, step.role);
      break;
    case Engine::kNth:
      out["index"] = step.index;
      break;
    case Engine::kVisible:
      out["value"] = step.visible;
      break;
    case Engine::kHas:
    case Engine::kHasNot:
    case Engine::kFrame:
      out["steps"] = ChainJson(step.nested);
      break;
    default:
      WriteMatch(out, "body", step.body);
  }
  return out;
}

json::array ChainJson(const std::vector<SelectorStep>& steps) {
  json::array out;
  for (const SelectorStep& step : steps) out.push_back(StepJson(step));
  return out;
}

}  // namespace

std::string_view EngineName(Engine engine) {
  return kEngines[static_cast<std::size_t>(engine)].name;
}

bool IsFilter(Engine engine) {
  return kEngines[static_cast<std::size_t>(engine)].use == EngineRow::kFilters;
}

std::string Selector::ToString() const {
  return ChainText(steps);
}

json::array Selector::ToJson() const {
  return ChainJson(steps);
}

FramePath FramePathOf(const Selector& selector) {
  FramePath path;
  const auto first_element = std::ranges::find_if(
      selector.steps, [](const SelectorStep& step) { return step.engine != Engine::kFrame; });
  std::transform(selector.steps.begin(), first_element, std::back_inserter(path.frames),
                 [](const SelectorStep& step) { return Selector{step.nested}; });
  path.element.steps.assign(first_element, selector.steps.end());
  return path;
}

}  // namespace falconer::model
