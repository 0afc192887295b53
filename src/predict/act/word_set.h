#pragma once
// WordSet: what texts say, for comparing them: folded words without their order. Texts of pages and
// of people are compared by nothing else.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace falconer::predict {

// Sorted, each once.
using WordSet = std::vector<std::string>;

// The words of all texts together: lower case, without marks, split at what is no letter or digit.
WordSet WordsOf(std::initializer_list<std::string_view> texts);
// In the order in which they are said, each as often as it is.
std::vector<std::string> SpokenWords(std::string_view text);

bool HasWord(const WordSet& words, std::string_view word);
bool HasAllWords(const WordSet& words, const WordSet& wanted);

// What a word tells: the fewer of many texts say it, the more.
class WordWeights {
 public:
  void Count(const WordSet& words);
  double Of(const std::string& word) const;
  double Sum(const WordSet& words) const;
  // Of those that both have.
  double SumOfShared(const WordSet& a, const WordSet& b) const;

 private:
  std::map<std::string, std::size_t, std::less<>> counts_;
  std::size_t texts_ = 0;
};

// Overlap as F1, from 0 to 1, each word with its weight. Of two that say nothing it is 1.
double OverlapOf(const WordSet& a, const WordSet& b, const WordWeights& weights);

}  // namespace falconer::predict
