#include "predict/act/element_words.h"

#include <algorithm>
#include <iterator>

namespace falconer::predict {

ElementWords WordsOfElement(const model::Fingerprint& element) {
  return {.own = WordsOf({element.name, element.text, element.label}),
          .around = WordsOf({element.item, element.before, element.landmark})};
}

PageWords::PageWords(const std::vector<engine::SeenElement>& seen) {
  for (const engine::SeenElement& one : seen) {
    ElementWords words = WordsOfElement(one.fingerprint);
    WordSet all;
    std::ranges::set_union(words.own, words.around, std::back_inserter(all));
    weights.Count(all);
    elements.push_back(std::move(words));
    ++namesakes[{one.fingerprint.role, one.fingerprint.name}];
  }
}

double PageWords::SpecificityOf(const model::Fingerprint& element) const {
  const auto alike = namesakes.find({element.role, element.name});
  return alike == namesakes.end() ? 1 : 1.0 / alike->second;
}

}  // namespace falconer::predict
