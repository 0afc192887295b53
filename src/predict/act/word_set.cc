#include "predict/act/word_set.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/text.h"
#include "model/fold_text.h"

namespace falconer::predict {
namespace {

bool IsOfWord(char c) {
  return IsLetterOrDigit(c) || static_cast<unsigned char>(c) >= 0x80;
}

WordSet SharedWords(const WordSet& a, const WordSet& b) {
  WordSet shared;
  std::ranges::set_intersection(a, b, std::back_inserter(shared));
  return shared;
}

}  // namespace

std::vector<std::string> SpokenWords(std::string_view text) {
  const std::string folded = model::FoldText(text);
  std::vector<std::string> words;
  auto at = folded.begin();
  while (true) {
    at = std::find_if(at, folded.end(), IsOfWord);
    if (at == folded.end()) return words;
    const auto end = std::find_if_not(at, folded.end(), IsOfWord);
    words.emplace_back(at, end);
    at = end;
  }
}

WordSet WordsOf(std::initializer_list<std::string_view> texts) {
  WordSet words;
  for (const std::string_view text : texts)
    std::ranges::move(SpokenWords(text), std::back_inserter(words));
  std::ranges::sort(words);
  words.erase(std::ranges::unique(words).begin(), words.end());
  return words;
}

bool HasWord(const WordSet& words, std::string_view word) {
  return std::ranges::binary_search(words, word, std::less<>());
}

bool HasAllWords(const WordSet& words, const WordSet& wanted) {
  return std::ranges::includes(words, wanted);
}

void WordWeights::Count(const WordSet& words) {
  ++texts_;
  for (const std::string& word : words) ++counts_[word];
}

double WordWeights::Of(const std::string& word) const {
  const auto found = counts_.find(word);
  const double said = found == counts_.end() ? 1 : static_cast<double>(found->second);
  const double rarity = std::log(1 + static_cast<double>(std::max<std::size_t>(texts_, 1)) / said);
  // Squared: one word that nothing else says outweighs several that everything says.
  return rarity * rarity;
}

double WordWeights::Sum(const WordSet& words) const {
  double sum = 0;
  for (const std::string& word : words) sum += Of(word);
  return sum;
}

double WordWeights::SumOfShared(const WordSet& a, const WordSet& b) const {
  return Sum(SharedWords(a, b));
}

double OverlapOf(const WordSet& a, const WordSet& b, const WordWeights& weights) {
  if (a.empty() && b.empty()) return 1;
  if (a.empty() || b.empty()) return 0;
  return 2 * weights.SumOfShared(a, b) / (weights.Sum(a) + weights.Sum(b));
}

}  // namespace falconer::predict
