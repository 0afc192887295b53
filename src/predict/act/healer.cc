#include "predict/act/healer.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "base/text.h"
#include "predict/act/element_words.h"
#include "predict/act/step_contract.h"

namespace falconer::predict {
namespace {

// The parts of a fingerprint that say which of several alike it is.
constexpr std::string model::Fingerprint::* kTellingParts[] = {
    &model::Fingerprint::name,   &model::Fingerprint::text, &model::Fingerprint::label,
    &model::Fingerprint::item,   &model::Fingerprint::before,
    &model::Fingerprint::landmark,
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

bool IsOfWord(std::string_view text, std::size_t at) {
  return at < text.size() && (IsLetterOrDigit(text[at]) || static_cast<unsigned char>(text[at]) >= 0x80);
}

std::string Replaced(const std::string& text, const std::string& value, const std::string& name) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = text.find(value); at != std::string::npos; at = text.find(value, from)) {
    const std::size_t end = at + value.size();
    const bool is_part = (at > 0 && IsOfWord(text, at - 1) && IsOfWord(value, 0)) ||
                         (IsOfWord(text, end) && IsOfWord(value, value.size() - 1));
    out += text.substr(from, at - from);
    out += is_part ? value : name;
    from = end;
  }
  return out + text.substr(from);
}

}  // namespace

std::string WithNames(std::string text, const ParameterValues& values) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& [name, value] : values) {
    if (!Trim(value).empty()) rows.emplace_back(value, "{" + name + "}");
  }
  // A value that is part of another one comes after it.
  std::ranges::stable_sort(rows, [](const auto& a, const auto& b) {
    return a.first.size() > b.first.size();
  });
  for (const auto& [value, name] : rows) text = Replaced(text, value, name);
  return text;
}

std::vector<std::string> KeptSelectors(const std::vector<std::string>& selectors,
                                       const WorkflowStep& document,
                                       const ParameterValues& values) {
  const bool depends = std::ranges::any_of(
      values, [&](const auto& value) { return DependsOn(document, value.first); });
  std::vector<std::string> kept;
  for (const std::string& selector : selectors) {
    // Braces that are there already would be taken for a parameter.
    if (selector.contains('{')) continue;
    std::string named = WithNames(selector, values);
    const bool is_named = named != selector;
    const bool tells = std::ranges::any_of(values, [&](const auto& value) {
      return !Trim(value.second).empty() && named.contains(value.second);
    });
    if (!tells && is_named == depends) kept.push_back(std::move(named));
  }
  return kept;
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
