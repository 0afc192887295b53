#include "policy/risk/risk_words.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace falconer::policy {
namespace {

TEST(RiskWordsTest, EveryMeaningHasEveryLanguage) {
  for (const auto& [meaning, name] : kMeanings) {
    for (const std::string_view language : {"en", "de", "fr", "es", "pt", "it", "nl", "ja", "zh"}) {
      const bool is_there = std::ranges::any_of(AllRiskWords(), [&](const RiskWordsRow& row) {
        return row.meaning == meaning && row.language == language && !row.phrases.empty();
      });
      EXPECT_TRUE(is_there) << name << " " << language;
    }
  }
}

TEST(RiskWordsTest, PhrasesStandAsTheyAreCompared) {
  for (const RiskWordsRow& row : AllRiskWords()) {
    std::string_view rest = row.phrases;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const std::string phrase(rest.substr(0, comma));
      std::string joined;
      for (const std::string& word : WordsOf(phrase)) joined += (joined.empty() ? "" : " ") + word;
      EXPECT_EQ(joined, phrase) << row.language;
      EXPECT_TRUE(MeaningsOf(WordsOf(phrase)).Contains(row.meaning)) << phrase;
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
}

}  // namespace
}  // namespace falconer::policy
