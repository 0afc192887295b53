#pragma once
// ElementWords: what the elements of a page say, of themselves and by what is around them.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/look.h"
#include "predict/act/word_set.h"

namespace falconer::predict {

struct ElementWords {
  WordSet own;     // name, text and label
  WordSet around;  // the entry it is in, what stands before it, and where
};

ElementWords WordsOfElement(const model::Fingerprint& element);

// All elements of a page, and what each word tells there.
struct PageWords {
  explicit PageWords(const std::vector<engine::SeenElement>& seen);

  // 1 for the only element of its role that is called so, else one share of it.
  double SpecificityOf(const model::Fingerprint& element) const;

  std::vector<ElementWords> elements;  // in their order
  WordWeights weights;
  std::map<std::pair<std::string, std::string>, int> namesakes;  // by role and name
};

}  // namespace falconer::predict
