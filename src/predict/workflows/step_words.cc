#include "predict/workflows/step_words.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

#include "base/text.h"
#include "model/action/action_type.h"
#include "model/fold_text.h"
#include "model/url.h"
#include "predict/workflows/recorded_texts.h"
#include "predict/workflows/template_text.h"

namespace falconer::predict {
namespace {

using enum model::ActionType;

struct VerbRow {
  model::ActionType type;
  std::string_view verb;
  std::string_view joint;  // between what and the element
};

constexpr VerbRow kVerbs[] = {
    {kNavigate, "open", ""},     {kNewTab, "open a tab with", ""}, {kFill, "type", " into "},
    {kType, "type", " into "},   {kSelect, "choose", " in "},      {kPress, "press", " in "},
    {kUpload, "upload", " to "},
};

constexpr std::size_t kMaxIntentWords = 512;

std::string TextIn(const json::object& object, std::string_view key) {
  return TextAt(object, key);
}

json::object SpecIn(const WorkflowStep& step) {
  const json::value* spec = step.contract.if_contains("action_spec");
  return spec != nullptr && spec->is_object() ? spec->get_object() : json::object();
}

std::vector<std::string> TextsOf(const json::object& spec, std::string_view list,
                                 std::initializer_list<std::string_view> keys) {
  std::vector<std::string> out;
  const json::value* all = spec.if_contains(list);
  if (all == nullptr || !all->is_array()) return out;
  for (const json::value& one : all->get_array()) {
    for (const std::string_view key : keys) {
      if (std::string text = one.is_object() ? TextIn(one.get_object(), key) : ""; !text.empty())
        out.push_back(std::move(text));
    }
  }
  return out;
}

// What is typed, chosen, pressed or opened.
std::string WhatOf(const json::object& spec) {
  if (const json::value* text = spec.if_contains("text")) {
    if (text->is_string()) return std::string(text->get_string());
    if (text->is_object()) return "the secret " + TextIn(text->get_object(), "secret");
  }
  for (const std::string_view key : {"url", "key"})
    if (std::string text = TextIn(spec, key); !text.empty()) return text;
  const auto values = TextsOf(spec, "select_values", {"label", "value"});
  if (!values.empty()) return fmt::format("{}", fmt::join(values, ", "));
  return fmt::format("{}", fmt::join(TextsOf(spec, "files", {"path", "artifact_id"}), ", "));
}

std::string NameOf(const model::Fingerprint& element) {
  for (const std::string* text : {&element.name, &element.label, &element.text})
    if (!text->empty()) return *text;
  for (const char* key : {"placeholder", "title", "name", "testid", "id"})
    if (const auto found = element.attributes.find(key); found != element.attributes.end())
      return found->second;
  return "";
}

// Names of parameters are words like all others.
std::string WithoutBraces(std::string_view text) {
  std::string out;
  for (const TemplatePart& part : TemplateOf(text)) out += part.text;
  return out;
}

std::string LastOfPath(std::string_view url) {
  const std::string path = model::SplitUrl(url).path;
  const std::size_t end = path.find_last_not_of('/');
  if (end == path.npos) return "home";
  const std::size_t begin = path.find_last_of('/', end);
  return path.substr(begin + 1, end - begin);
}

}  // namespace

std::string NameBook::Take(const std::string& name) {
  std::string free = name;
  for (int number = 2; !taken_.insert(free).second; ++number)
    free = fmt::format("{}{}{}", name, joint_, number);
  return free;
}

std::string JoinedWords(std::string_view text, char joint, std::size_t most) {
  std::string out;
  bool is_apart = false;
  for (const char c : model::FoldText(text)) {
    if (!IsLower(c) && !IsDigit(c)) {
      is_apart = !out.empty();
      continue;
    }
    if (out.size() + 2 > most) break;
    if (is_apart) out += joint;
    is_apart = false;
    out += c;
  }
  return out;
}

std::string ParameterWords(std::string_view text) {
  std::string words = JoinedWords(text, '_');
  if (!words.empty() && !IsLower(words[0])) words = "value_" + words;
  return words;
}

std::string FieldParameter(const model::Fingerprint* field) {
  if (field == nullptr) return "text";
  if (field->role == "searchbox" || field->type == "search") return "search";
  for (const std::string* text : {&field->label, &field->name})
    if (std::string words = ParameterWords(*text); !words.empty()) return words;
  for (const char* key : {"placeholder", "name", "testid", "id"}) {
    const auto found = field->attributes.find(key);
    if (found == field->attributes.end()) continue;
    if (std::string words = ParameterWords(found->second); !words.empty()) return words;
  }
  return "text";
}

std::string ElementWords(const WorkflowStep& step) {
  if (!step.element) return TextIn(SpecIn(step), "selector");
  const std::string kind = step.element->role.empty() ? step.element->tag : step.element->role;
  const std::string name = NameOf(*step.element);
  return name.empty() ? kind : fmt::format("{} \"{}\"", kind, name);
}

std::string IntentOf(const WorkflowStep& step) {
  const json::object spec = SpecIn(step);
  const auto type = model::ActionTypeNamed(TextIn(spec, "action_type"));
  const auto* row = std::ranges::find(kVerbs, type.value_or(kWaitOnly), &VerbRow::type);
  std::string verb = TextIn(spec, "action_type");
  std::ranges::replace(verb, '_', ' ');
  const bool has_row = row != std::end(kVerbs);
  if (has_row) verb = row->verb;
  const std::string element = ElementWords(step);
  const std::string what = has_row ? WhatOf(spec) : "";
  const std::string_view joint = what.empty() ? "" : has_row ? row->joint : "";
  const std::string rest = element.empty() ? what : what + std::string(joint) + element;
  return CutTemplate(rest.empty() ? verb : verb + " " + rest, kMaxIntentWords);
}

std::string IdOf(const WorkflowStep& step) {
  const json::object spec = SpecIn(step);
  const std::string type = TextIn(spec, "action_type");
  std::string words;
  if (const std::string url = TextIn(spec, "url"); !url.empty()) {
    words = "open-" + JoinedWords(WithoutBraces(LastOfPath(url)), '-');
  } else if (const std::string key = TextIn(spec, "key"); !key.empty()) {
    words = "press-" + JoinedWords(key, '-');
  } else if (step.element) {
    words = JoinedWords(WithoutBraces(NameOf(*step.element)), '-');
    if (words.empty()) words = JoinedWords(type + " " + step.element->role, '-');
  }
  if (words.empty() || words.ends_with('-')) words += JoinedWords(type, '-');
  return words;
}

}  // namespace falconer::predict
