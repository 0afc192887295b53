#include "predict/act/ranker.h"

#include <algorithm>
#include <cmath>

#include "predict/act/element_words.h"
#include "predict/act/rank_judge.h"

namespace falconer::predict {
namespace {

// How much of the text's part is what the element says itself; the rest is what is around it.
constexpr double kOwnShare = 0.5;
// From this distance on, as a share of the page, places tell nothing.
constexpr double kFar = 0.7;

struct AlikeRoles {
  std::string_view a;
  std::string_view b;
  double alike;
};

// What one rewriting of a page makes of another.
constexpr AlikeRoles kAlikeRoles[] = {
    {"button", "link", 0.5},
    {"button", "menuitem", 0.5},
    {"button", "tab", 0.5},
    {"link", "menuitem", 0.5},
    {"link", "tab", 0.5},
    {"checkbox", "switch", 0.8},
    {"combobox", "listbox", 0.8},
    {"combobox", "searchbox", 0.5},
    {"combobox", "textbox", 0.5},
    {"searchbox", "textbox", 0.8},
    {"spinbutton", "textbox", 0.8},
    {"option", "radio", 0.5},
    {"menuitemcheckbox", "checkbox", 0.5},
};

double AlikeRole(const model::Fingerprint& a, const model::Fingerprint& b) {
  if (a.role == b.role) return a.role.empty() && a.tag != b.tag ? 0 : 1;
  for (const AlikeRoles& row : kAlikeRoles) {
    if ((row.a == a.role && row.b == b.role) || (row.a == b.role && row.b == a.role))
      return row.alike;
  }
  return 0;
}

// Of what authors gave the wanted one, the share that this one has too.
double AlikeAttributes(const model::Fingerprint& wanted, const model::Fingerprint& seen) {
  std::size_t same = 0;
  for (const auto& [name, value] : wanted.attributes) {
    const auto found = seen.attributes.find(name);
    if (found != seen.attributes.end() && found->second == value) ++same;
  }
  return static_cast<double>(same) / static_cast<double>(wanted.attributes.size());
}

double Same(const std::string& a, const std::string& b) {
  return a == b ? 1 : 0;
}

// What authors give and seldom change.
double StabilityOf(const model::Fingerprint& wanted, const model::Fingerprint& seen) {
  double sum = Same(wanted.tag, seen.tag) + Same(wanted.type, seen.type);
  double parts = 2;
  if (!wanted.landmark.empty()) {
    sum += Same(wanted.landmark, seen.landmark);
    parts += 1;
  }
  if (!wanted.attributes.empty()) {
    sum += 3 * AlikeAttributes(wanted, seen);
    parts += 3;
  }
  return sum / parts;
}

double NearnessOf(const model::Fingerprint& wanted, const model::Fingerprint& seen) {
  const double distance = std::hypot(wanted.x - seen.x, wanted.y - seen.y);
  return std::max(0.0, 1 - distance / kFar);
}

double TextOf(const ElementWords& wanted, const ElementWords& seen, const WordWeights& weights) {
  const double own = OverlapOf(wanted.own, seen.own, weights);
  if (wanted.around.empty()) return own;
  return own * (kOwnShare + (1 - kOwnShare) * OverlapOf(wanted.around, seen.around, weights));
}

// An author's own name for it, and for nothing else: its test id, or both its id and its name.
bool IsCalledTheSame(const model::Fingerprint& wanted, const model::Fingerprint& seen) {
  const auto has = [&](std::string_view attribute) {
    const auto a = wanted.attributes.find(std::string(attribute));
    const auto b = seen.attributes.find(std::string(attribute));
    return a != wanted.attributes.end() && b != seen.attributes.end() && a->second == b->second;
  };
  return has("testid") || has("data-testid") || (has("id") && has("name"));
}

}  // namespace

Ranking RankByFingerprint(const model::Fingerprint& wanted,
                          const std::vector<engine::SeenElement>& seen, const RankRules& rules) {
  const PageWords page(seen);
  const ElementWords words = WordsOfElement(wanted);
  std::vector<RankedElement> all;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const model::Fingerprint& one = seen[i].fingerprint;
    const RankParts parts{.text = TextOf(words, page.elements[i], page.weights),
                          .role = AlikeRole(wanted, one),
                          .stability = StabilityOf(wanted, one),
                          .spatial = NearnessOf(wanted, one),
                          .enabled = one.is_enabled ? 1.0 : 0.0,
                          .specificity = page.SpecificityOf(one)};
    if (parts.role == 0) continue;
    all.push_back({.element = seen[i], .score = ScoreOf(parts, rules.weights), .parts = parts});
  }
  SortRanked(all);
  Ranking ranking{.best = std::move(all)};
  const bool is_called_the_same =
      !ranking.best.empty() && IsCalledTheSame(wanted, ranking.best.front().element.fingerprint);
  JudgeFirst(ranking, NextScore(ranking), rules,
             is_called_the_same ? TextNeed::kNone : TextNeed::kAsRuled);
  Shorten(ranking, rules);
  return ranking;
}

}  // namespace falconer::predict
