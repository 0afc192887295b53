#include "predict/workflows/recorded_texts.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "model/action/target.h"
#include "predict/typed_text.h"
#include "predict/workflows/bind_selector.h"
#include "predict/workflows/template_text.h"

namespace falconer::predict {
namespace {

using Kind = TemplatePart::Kind;
using model::Engine;
using model::Fingerprint;
using model::SelectorStep;
using model::TextMatch;
using model::TextMode;

// Puts parameters into the texts of a selector that was read.
class SelectorTemplater {
 public:
  explicit SelectorTemplater(const RecordedTexts& texts) : texts_(texts) {}

  // False where a parameter cannot stand.
  bool Put(std::vector<SelectorStep>& steps) {
    return std::ranges::all_of(steps, [this](SelectorStep& step) { return PutStep(step); });
  }

 private:
  bool PutStep(SelectorStep& step) {
    switch (step.engine) {
      case Engine::kCss:
      case Engine::kXpath:
        return PutCode(step.body.text);
      case Engine::kRole:
        return !step.role.name || PutMatch(*step.role.name);
      case Engine::kHas:
      case Engine::kHasNot:
      case Engine::kFrame:
        return Put(step.nested);
      case Engine::kNth:
      case Engine::kVisible:
        return true;
      default:
        return PutMatch(step.body);
    }
  }

  // Letter by letter, or not at all.
  bool PutCode(std::string& code) const {
    const std::vector<TypedPlace> places = PlacesOf(texts_.typed(), code);
    code = texts_.Template(code);
    return std::ranges::all_of(places, IsExact);
  }

  bool PutMatch(TextMatch& match) const {
    const std::vector<TypedPlace> places = PlacesOf(texts_.typed(), match.text);
    if (std::ranges::any_of(places, &TypedPlace::is_cut)) return false;
    if (match.mode == TextMode::kRegex && !places.empty()) return false;
    match.text = texts_.Template(match.text);
    // What was typed in other letters is found in any.
    if (!std::ranges::all_of(places, IsExact)) match.mode = TextMode::kSubstring;
    return true;
  }

  static bool IsExact(const TypedPlace& place) { return place.is_same && !place.is_cut; }

  const RecordedTexts& texts_;
};

void AddLiteralPart(TemplateParts& parts, std::string_view text) {
  if (!text.empty()) parts.push_back({.kind = Kind::kLiteral, .text = std::string(text)});
}

}  // namespace

void RecordedTexts::Add(std::string_view text, const std::string& parameter) {
  std::string folded = FoldSpaces(text);
  if (folded.empty() || !ParameterOf(folded).empty()) return;
  texts_.push_back(std::move(folded));
  parameters_.push_back(parameter);
}

std::string_view RecordedTexts::ParameterOf(std::string_view text) const {
  const auto found = std::ranges::find(texts_, FoldSpaces(text));
  if (found == texts_.end()) return {};
  return parameters_[static_cast<std::size_t>(found - texts_.begin())];
}

std::string RecordedTexts::Template(std::string_view text) const {
  TemplateParts parts;
  std::size_t at = 0;
  for (const TypedPlace& place : PlacesOf(texts_, text)) {
    AddLiteralPart(parts, text.substr(at, place.begin - at));
    if (!place.is_cut)
      parts.push_back({.kind = Kind::kParameter, .text = parameters_[place.typed]});
    at = place.end;
  }
  AddLiteralPart(parts, text.substr(at));
  return TemplateText(parts);
}

std::string RecordedTexts::Selector(std::string_view selector) const {
  Result<model::Selector> parsed = model::ParseSelector(selector);
  if (!parsed) return "";
  const model::Selector before = *parsed;
  if (!SelectorTemplater(*this).Put(parsed->steps)) return "";
  std::string text = *parsed == before ? std::string(selector) : parsed->ToString();
  const auto sample = [](const std::string&) -> Result<std::string> { return "x"; };
  return BindSelector(text, sample) ? text : "";
}

Fingerprint RecordedTexts::Element(const Fingerprint& element) const {
  Fingerprint out = element;
  for (std::string* text :
       {&out.name, &out.text, &out.label, &out.landmark, &out.item, &out.before})
    *text = CutTemplate(Template(*text), model::kMaxFingerprintText);
  for (auto& [name, text] : out.attributes)
    text = CutTemplate(Template(text), model::kMaxFingerprintText);
  out.selectors.clear();
  for (const std::string& selector : element.selectors) {
    std::string text = Selector(selector);
    if (!text.empty()) out.selectors.push_back(std::move(text));
  }
  return out;
}

std::string CutTemplate(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  TemplateParts kept;
  for (TemplatePart& part : TemplateOf(text)) {
    kept.push_back(part);
    while (TemplateText(kept).size() > most) {
      if (kept.back().kind == Kind::kParameter || kept.back().text.size() < 2) {
        kept.pop_back();
        return TemplateText(kept);
      }
      const std::size_t over = TemplateText(kept).size() - most;
      const std::size_t size = kept.back().text.size();
      kept.back().text = Utf8Prefix(kept.back().text, size > over ? size - over : 1);
    }
  }
  return TemplateText(kept);
}

}  // namespace falconer::predict
