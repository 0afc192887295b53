#include "base/suggest.h"

#include <algorithm>
#include <vector>

namespace falconer {
namespace {

// Longer words are no slips of the finger, and the table below grows with both lengths.
constexpr std::size_t kLongestWord = 64;

std::optional<std::string> OnlyOneBeginningWith(std::string_view word,
                                                std::span<const std::string> known) {
  std::optional<std::string> found;
  for (const std::string& name : known) {
    if (!name.starts_with(word)) continue;
    if (found) return std::nullopt;
    found = name;
  }
  return found;
}

}  // namespace

std::size_t EditDistance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> cost((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return cost[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replaced});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return cost.back();
}

std::optional<std::string> Closest(std::string_view word, std::span<const std::string> known) {
  if (word.empty() || word.size() > kLongestWord) return std::nullopt;
  const auto distance = [&](const std::string& name) { return EditDistance(word, name); };
  const auto best = std::ranges::min_element(known, {}, distance);
  if (best == known.end()) return std::nullopt;
  const std::size_t allowed = std::max<std::size_t>(1, std::min(word.size(), best->size()) / 3);
  if (distance(*best) <= allowed) return *best;
  return OnlyOneBeginningWith(word, known);
}

}  // namespace falconer
