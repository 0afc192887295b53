// Ranking by words: how much of what an instruction says an element says, of itself or by what is
// around it.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "base/text.h"
#include "predict/act/element_words.h"
#include "predict/act/rank_judge.h"

namespace falconer::predict {
namespace {

// Words that tell nothing of which element is meant.
constexpr std::string_view kSmallWords[] = {
    "a",    "an",   "and",  "at",   "by", "der", "die",  "das", "for",  "from",
    "in",   "into", "it",   "my",   "of", "on",  "or",   "our", "page", "please",
    "that", "the",  "then", "this", "to", "up",  "with", "you", "your",
};

struct OrdinalWord {
  std::string_view word;
  int place;  // from 0; -1 is the last
};

constexpr OrdinalWord kOrdinals[] = {
    {"first", 0},  {"1st", 0}, {"second", 1}, {"2nd", 1}, {"third", 2}, {"3rd", 2},
    {"fourth", 3}, {"4th", 3}, {"fifth", 4},  {"5th", 4}, {"last", -1},
};

struct RoleWord {
  std::string_view word;
  std::string_view role;
};

constexpr RoleWord kRoleWords[] = {
    {"button", "button"}, {"link", "link"},         {"field", "textbox"}, {"box", "textbox"},
    {"input", "textbox"}, {"checkbox", "checkbox"}, {"tab", "tab"},       {"dropdown", "combobox"},
    {"menu", "menuitem"}, {"option", "option"},     {"radio", "radio"},   {"switch", "switch"},
};

// What an instruction says, sorted by what its words are for.
struct Said {
  WordSet words;
  std::string head;  // the first of them: what is to be done, or what it is done to
  WordSet roles;
  std::optional<int> place;
};

template <typename Table>
const auto* RowOfWord(const Table& table, std::string_view word) {
  const auto* found =
      std::ranges::find_if(table, [&](const auto& row) { return row.word == word; });
  return found == std::end(table) ? nullptr : found;
}

WordSet WithoutSmallWords(WordSet words) {
  std::erase_if(words, [](const std::string& word) {
    return std::ranges::find(kSmallWords, word) != std::end(kSmallWords);
  });
  return words;
}

Said ReadSaid(std::string_view text) {
  Said said;
  for (const std::string& word : WithoutSmallWords(SpokenWords(text))) {
    if (const auto* ordinal = RowOfWord(kOrdinals, word)) {
      said.place = ordinal->place;
    } else if (const auto* role = RowOfWord(kRoleWords, word)) {
      said.roles.emplace_back(role->role);
    } else {
      said.words.push_back(word);
    }
  }
  if (!said.words.empty()) said.head = said.words.front();
  std::ranges::sort(said.words);
  said.words.erase(std::ranges::unique(said.words).begin(), said.words.end());
  return said;
}

// How much of an element's text is lost when nothing around it says the rest of the words.
constexpr double kRestShare = 0.35;

// Numbers, such as how much is in a cart, are no part of what it is called.
WordSet NameWords(WordSet words) {
  WordSet named = WithoutSmallWords(std::move(words));
  std::erase_if(named, [](const std::string& word) { return std::ranges::all_of(word, IsDigit); });
  return named;
}

double WordShare(std::size_t part, std::size_t all) {
  return all == 0 ? 1 : static_cast<double>(part) / static_cast<double>(all);
}

WordSet Shared(const WordSet& a, const WordSet& b) {
  WordSet both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both;
}

// One that is called just so is far ahead of one that is called so among other things.
constexpr double kExactness = 1.5;

// The head of what is said counts twice.
double WeightOf(const WordSet& words, const std::string& head) {
  return static_cast<double>(words.size() + (HasWord(words, head) ? 1U : 0U));
}

double TextFor(const Said& said, const ElementWords& element) {
  const WordSet own = NameWords(element.own);
  const WordSet same = Shared(said.words, own);
  if (same.empty()) return 0;
  const double overlap =
      2 * WeightOf(same, said.head) / (WeightOf(own, said.head) + WeightOf(said.words, said.head));
  WordSet rest;
  std::ranges::set_difference(said.words, own, std::back_inserter(rest));
  const double around = WordShare(Shared(rest, element.around).size(), rest.size());
  return std::pow(overlap, kExactness) * (1 - kRestShare + kRestShare * around);
}

// What is named by its author is likelier to be meant again.
double StabilityOfNamed(const model::Fingerprint& element) {
  if (element.attributes.contains("testid") || element.attributes.contains("id")) return 1;
  return element.name.empty() ? 0 : 0.7;
}

double RoleFor(const Said& said, const std::string& role) {
  if (said.roles.empty()) return 1;
  return std::ranges::find(said.roles, role) == said.roles.end() ? 0.5 : 1;
}

bool AreNamesakes(const RankedElement& a, const RankedElement& b) {
  const model::Fingerprint& one = a.element.fingerprint;
  const model::Fingerprint& other = b.element.fingerprint;
  return one.role == other.role && one.name == other.name;
}

// Brings the one at that place, of all that are called like the best one, to the front. False when
// there are not so many.
bool BringForward(Ranking& ranking, int place, const std::vector<engine::SeenElement>& seen) {
  if (ranking.best.empty()) return false;
  std::vector<std::size_t> namesakes;
  for (const engine::SeenElement& one : seen) {
    for (std::size_t i = 0; i < ranking.best.size(); ++i) {
      const bool is_it = ranking.best[i].element.ref == one.ref;
      if (is_it && AreNamesakes(ranking.best.front(), ranking.best[i])) namesakes.push_back(i);
    }
  }
  const auto count = static_cast<int>(namesakes.size());
  const int at = place < 0 ? count - 1 : place;
  if (at >= count) return false;
  const auto chosen =
      ranking.best.begin() + static_cast<std::ptrdiff_t>(namesakes[static_cast<std::size_t>(at)]);
  std::rotate(ranking.best.begin(), chosen, chosen + 1);
  return true;
}

// Of those that are called otherwise.
double NextOther(const Ranking& ranking) {
  for (const RankedElement& one : ranking.best) {
    if (!AreNamesakes(one, ranking.best.front())) return one.score;
  }
  return 0;
}

}  // namespace

Ranking RankByWords(std::string_view words, const std::vector<std::string>& roles,
                    const std::vector<engine::SeenElement>& seen, const RankRules& rules) {
  const PageWords page(seen);
  const Said said = ReadSaid(words);
  std::vector<RankedElement> all;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const model::Fingerprint& one = seen[i].fingerprint;
    const bool is_of_role = roles.empty() || std::ranges::find(roles, one.role) != roles.end();
    const double text = TextFor(said, page.elements[i]);
    if (!is_of_role || text == 0) continue;
    const RankParts parts{.text = text,
                          .role = RoleFor(said, one.role),
                          .stability = StabilityOfNamed(one),
                          .spatial = 1 - one.y,
                          .enabled = one.is_enabled ? 1.0 : 0.0,
                          .specificity = page.SpecificityOf(one)};
    all.push_back({.element = seen[i], .score = ScoreOf(parts, rules.weights), .parts = parts});
  }
  SortRanked(all);
  Ranking ranking{.best = std::move(all)};
  const bool is_told = said.place && BringForward(ranking, *said.place, seen);
  // There is no fifth one of two.
  if (said.place && !is_told) ranking.best.clear();
  JudgeFirst(ranking, is_told ? NextOther(ranking) : NextScore(ranking), rules);
  Shorten(ranking, rules);
  return ranking;
}

}  // namespace falconer::predict
