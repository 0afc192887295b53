#include "predict/workflows/recorded_texts.h"

#include <algorithm>

#include "base/percent.h"
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

// As addresses and names in code spell it: "house-blend", "House%20blend", "house_blend".
bool SpellsTyped(std::span<const std::string> typed, std::string_view text) {
  std::string words = FormDecoded(text);
  std::ranges::replace_if(words, [](char c) { return std::string_view("-_./").contains(c); }, ' ');
  return words != text && !PlacesOf(typed, words).empty();
}

// What the texts that parameters are put into are already.
enum class TextForm : std::uint8_t { kPlain, kTemplate };

// Puts parameters into the texts of a selector that was read.
class SelectorTemplater {
 public:
  SelectorTemplater(const RecordedTexts& texts, TextForm form) : texts_(texts), form_(form) {}

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

  std::vector<TypedPlace> PlacesIn(std::string_view text) const {
    if (form_ == TextForm::kPlain) return PlacesOf(texts_.typed(), text);
    std::vector<TypedPlace> all;
    for (const TemplatePart& part : TemplateOf(text)) {
      if (part.kind != Kind::kLiteral) continue;
      const std::vector<TypedPlace> places = PlacesOf(texts_.typed(), part.text);
      all.insert(all.end(), places.begin(), places.end());
    }
    return all;
  }

  std::string Open(std::string_view text) const {
    return form_ == TextForm::kPlain ? texts_.Template(text) : texts_.MoreText(text);
  }

  // Letter by letter, or not at all.
  bool PutCode(std::string& code) const {
    const std::vector<TypedPlace> places = PlacesIn(code);
    code = Open(code);
    const auto is_good = [this](const TypedPlace& place) {
      return IsExact(place) && !texts_.IsSecret(place);
    };
    return std::ranges::all_of(places, is_good) && !SpellsTyped(texts_.typed(), code);
  }

  bool PutMatch(TextMatch& match) const {
    const std::vector<TypedPlace> places = PlacesIn(match.text);
    const auto is_lost = [this](const TypedPlace& place) {
      return place.is_cut || texts_.IsSecret(place);
    };
    if (std::ranges::any_of(places, is_lost)) return false;
    if (match.mode == TextMode::kRegex && !places.empty()) return false;
    match.text = Open(match.text);
    // What was typed in other letters is found in any.
    if (!std::ranges::all_of(places, IsExact)) match.mode = TextMode::kSubstring;
    return true;
  }

  static bool IsExact(const TypedPlace& place) { return place.is_same && !place.is_cut; }

  const RecordedTexts& texts_;
  const TextForm form_;
};

std::string SelectorWith(const RecordedTexts& texts, TextForm form, std::string_view selector) {
  Result<model::Selector> parsed = model::ParseSelector(selector);
  if (!parsed) return "";
  const model::Selector before = *parsed;
  if (!SelectorTemplater(texts, form).Put(parsed->steps)) return "";
  std::string text = *parsed == before ? std::string(selector) : parsed->ToString();
  const auto sample = [](const std::string&) -> Result<std::string> { return "x"; };
  return BindSelector(text, sample) ? text : "";
}

Fingerprint ElementWith(const RecordedTexts& texts, TextForm form, const Fingerprint& element) {
  const auto open = [&](std::string_view text) {
    const bool is_plain = form == TextForm::kPlain;
    return CutTemplate(is_plain ? texts.Template(text) : texts.MoreText(text),
                       model::kMaxFingerprintText);
  };
  Fingerprint out = element;
  for (std::string* text :
       {&out.name, &out.text, &out.label, &out.landmark, &out.item, &out.before})
    *text = open(*text);
  for (auto& [name, text] : out.attributes) text = open(text);
  std::erase_if(out.attributes,
                [&](const auto& one) { return SpellsTyped(texts.typed(), one.second); });
  out.selectors.clear();
  for (const std::string& selector : element.selectors) {
    std::string text = SelectorWith(texts, form, selector);
    if (!text.empty()) out.selectors.push_back(std::move(text));
  }
  return out;
}

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

void RecordedTexts::AddSecret(std::string_view text) {
  if (std::string folded = FoldSpaces(text); !folded.empty()) {
    texts_.push_back(std::move(folded));
    parameters_.emplace_back();
  }
}

bool RecordedTexts::IsSecret(const TypedPlace& place) const {
  return parameters_[place.typed].empty();
}

std::string_view RecordedTexts::ParameterOf(std::string_view text) const {
  const auto found = std::ranges::find(texts_, FoldSpaces(text));
  if (found == texts_.end()) return {};
  return parameters_[static_cast<std::size_t>(found - texts_.begin())];
}

std::string_view RecordedTexts::TextOf(std::string_view parameter) const {
  const auto found = std::ranges::find(parameters_, parameter);
  if (found == parameters_.end()) return {};
  return texts_[static_cast<std::size_t>(found - parameters_.begin())];
}

std::string RecordedTexts::Template(std::string_view text) const {
  TemplateParts parts;
  std::size_t at = 0;
  for (const TypedPlace& place : PlacesOf(texts_, text)) {
    AddLiteralPart(parts, text.substr(at, place.begin - at));
    if (!place.is_cut && !parameters_[place.typed].empty())
      parts.push_back({.kind = Kind::kParameter, .text = parameters_[place.typed]});
    at = place.end;
  }
  AddLiteralPart(parts, text.substr(at));
  return TemplateText(parts);
}

std::string RecordedTexts::MoreText(std::string_view text) const {
  TemplateParts out;
  for (const TemplatePart& part : TemplateOf(text)) {
    if (part.kind == Kind::kParameter) {
      out.push_back(part);
    } else {
      const TemplateParts parts = TemplateOf(Template(part.text));
      out.insert(out.end(), parts.begin(), parts.end());
    }
  }
  return TemplateText(out);
}

std::string RecordedTexts::Selector(std::string_view selector) const {
  return SelectorWith(*this, TextForm::kPlain, selector);
}

std::string RecordedTexts::MoreSelector(std::string_view selector) const {
  return SelectorWith(*this, TextForm::kTemplate, selector);
}

Fingerprint RecordedTexts::Element(const Fingerprint& element) const {
  return ElementWith(*this, TextForm::kPlain, element);
}

Fingerprint RecordedTexts::MoreElement(const Fingerprint& element) const {
  return ElementWith(*this, TextForm::kTemplate, element);
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
