#include "predict/act/healer.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "predict/act/element_words.h"
#include "predict/act/step_contract.h"
#include "predict/typed_text.h"
#include "predict/workflows/bind_selector.h"

namespace falconer::predict {
namespace {

// The parts of a fingerprint that say which of several alike it is.
constexpr std::string model::Fingerprint::* kTellingParts[] = {
    &model::Fingerprint::name, &model::Fingerprint::text,   &model::Fingerprint::label,
    &model::Fingerprint::item, &model::Fingerprint::before, &model::Fingerprint::landmark,
};

bool Mentions(std::string_view text, const std::string& parameter) {
  return text.contains("{" + parameter + "}");
}

bool DependsOn(const WorkflowStep& document, const std::string& parameter) {
  if (!document.element) return false;
  const model::Fingerprint& element = *document.element;
  const bool is_told = std::ranges::any_of(
      kTellingParts, [&](auto part) { return Mentions(element.*part, parameter); });
  return is_told || std::ranges::any_of(element.attributes, [&](const auto& attribute) {
           return Mentions(attribute.second, parameter);
         });
}

// What the element must say: the values of the parameters that it depends on.
WordSet WordsNeeded(const WorkflowStep& document, const ParameterValues& values) {
  WordSet needed;
  for (const auto& [name, value] : values) {
    if (!DependsOn(document, name)) continue;
    WordSet all;
    std::ranges::set_union(needed, WordsOf({value}), std::back_inserter(all));
    needed = std::move(all);
  }
  return needed;
}

bool Says(const model::Fingerprint& element, const WordSet& needed) {
  std::string attributes;
  for (const auto& [name, value] : element.attributes) attributes += value + " ";
  return HasAllWords(WordsOf({element.name, element.text, element.label, element.item,
                              element.before, element.landmark, attributes}),
                     needed);
}

// The text with {name} for each value that it repeats; nothing when it repeats one otherwise than
// letter by letter.
std::optional<std::string> Named(const std::string& text, const ParameterValues& values) {
  std::vector<std::string> names;
  std::vector<std::string> texts;
  for (const auto& [name, value] : values) {
    names.push_back(name);
    texts.push_back(value);
  }
  TemplateParts parts;
  std::size_t from = 0;
  for (const TypedPlace& place : PlacesOf(texts, text)) {
    if (place.is_cut || !place.is_same) return std::nullopt;
    parts.push_back({.text = text.substr(from, place.begin - from)});
    parts.push_back({.kind = TemplatePart::Kind::kParameter, .text = names[place.typed]});
    from = place.end;
  }
  parts.push_back({.text = text.substr(from)});
  return TemplateText(parts);
}

bool TellsAny(std::string_view text, const ParameterValues& values) {
  return std::ranges::any_of(values, [&](const auto& value) {
    return value.second.size() >= 3 && text.contains(value.second);
  });
}

// With the same values it finds the same again.
bool BindsBack(const std::string& named, const std::string& selector,
               const ParameterValues& values) {
  const auto bound = BindSelector(
      named, [&](const std::string& name) -> Result<std::string> { return values.at(name); });
  if (!bound) return false;
  const auto a = model::ParseSelector(*bound);
  const auto b = model::ParseSelector(selector);
  return a && b && *a == *b;
}

}  // namespace

std::vector<std::string> KeptSelectors(const std::vector<std::string>& selectors,
                                       const WorkflowStep& document,
                                       const ParameterValues& values) {
  const bool depends = std::ranges::any_of(
      values, [&](const auto& value) { return DependsOn(document, value.first); });
  std::vector<std::string> kept;
  for (const std::string& selector : selectors) {
    auto named = Named(selector, values);
    if (!named || HasParameter(*named) != depends || TellsAny(*named, values)) continue;
    if (BindsBack(*named, selector, values)) kept.push_back(*std::move(named));
  }
  return kept;
}

model::Fingerprint NamedFingerprint(model::Fingerprint element, const ParameterValues& values) {
  for (const auto part : kTellingParts) element.*part = Named(element.*part, values).value_or("");
  std::map<std::string, std::string> attributes;
  for (const auto& [name, value] : element.attributes) {
    if (auto named = Named(value, values)) attributes.emplace(name, *std::move(named));
  }
  element.attributes = std::move(attributes);
  element.selectors.clear();
  return element;
}

Healing Heal(const WorkflowStep& bound, const WorkflowStep* document, const ParameterValues& values,
             const std::vector<engine::SeenElement>& seen) {
  Healing healing;
  if (!bound.element) {
    healing.ranking.reason = "no_fingerprint";
    return healing;
  }
  const WordSet needed = document == nullptr ? WordSet() : WordsNeeded(*document, values);
  std::vector<engine::SeenElement> saying;
  std::ranges::copy_if(seen, std::back_inserter(saying), [&](const engine::SeenElement& one) {
    return one.fingerprint.frame == bound.element->frame && Says(one.fingerprint, needed);
  });
  healing.ranking = RankByFingerprint(*bound.element, saying);
  if (!healing.ranking.is_clear) return healing;
  const engine::SeenElement& found = healing.ranking.best.front().element;
  if (found.fingerprint.selectors.empty()) {
    healing.ranking.reason = "no_selector";
    return healing;
  }
  healing.step = WithSelectors(bound, found.fingerprint.selectors);
  return healing;
}

}  // namespace falconer::predict
