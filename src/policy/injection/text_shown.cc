#include "policy/injection/text_shown.h"

#include <algorithm>
#include <set>
#include <string>

#include "policy/injection/text_folding.h"

namespace falconer::policy {
namespace {

constexpr double kSmallestFont = 3.0;  // pixels
constexpr double kLeastOpacity = 0.1;
constexpr double kLeastContrast = 1.2;
constexpr std::size_t kLeastVisibleWords = 80;
constexpr std::size_t kLeastExtractedWords = 120;
constexpr double kLeastSimilarity = 0.12;

std::set<std::u32string> WordsOf(const FoldedText& text) {
  std::set<std::u32string> words;
  for (const FoldedWord& word : text.words) words.insert(word.text);
  return words;
}

double SimilarityOf(const FoldedText& left, const FoldedText& right) {
  const auto a = WordsOf(left);
  const auto b = WordsOf(right);
  if (a.empty() && b.empty()) return 1;
  const auto both = std::ranges::count_if(a, [&](const auto& word) { return b.contains(word); });
  const auto shared = static_cast<double>(both);
  return shared / (static_cast<double>(a.size() + b.size()) - shared);
}

}  // namespace

std::string_view WhyNotSeen(const model::TextVisibility& facts) {
  if (facts.is_attribute) return "attribute";
  if (!facts.is_displayed) return "not_displayed";
  if (facts.is_empty_box) return "empty_box";
  if (facts.font_px && *facts.font_px < kSmallestFont) return "tiny";
  if (facts.opacity && *facts.opacity < kLeastOpacity) return "transparent";
  if (facts.contrast_ratio && *facts.contrast_ratio < kLeastContrast) return "no_contrast";
  if (facts.is_clipped_away) return "clipped";
  if (facts.is_off_screen) return "off_screen";
  return facts.is_covered ? "covered" : "";
}

double WordSimilarity(std::string_view left, std::string_view right) {
  return SimilarityOf(FoldText(left), FoldText(right));
}

bool IsAnotherText(std::string_view extracted, std::string_view visible) {
  const FoldedText all = FoldText(extracted);
  const FoldedText seen = FoldText(visible);
  return all.words.size() >= kLeastExtractedWords && seen.words.size() >= kLeastVisibleWords &&
         SimilarityOf(all, seen) < kLeastSimilarity;
}

}  // namespace falconer::policy
