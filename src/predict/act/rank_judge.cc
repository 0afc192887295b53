#include "predict/act/rank_judge.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace falconer::predict {
namespace {

constexpr double kGrain = 1e9;

double Rounded(double score) {
  return std::round(score * kGrain) / kGrain;
}

// d1e9 comes before d1e10.
bool IsLesserRef(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

bool IsBetter(const RankedElement& a, const RankedElement& b) {
  return a.score != b.score ? a.score > b.score : IsLesserRef(a.element.ref, b.element.ref);
}

}  // namespace

double ScoreOf(const RankParts& parts, const RankWeights& weights) {
  return Rounded(parts.text * weights.text + parts.role * weights.role +
                 parts.stability * weights.stability + parts.spatial * weights.spatial +
                 parts.enabled * weights.enabled + parts.specificity * weights.specificity);
}

void SortRanked(std::vector<RankedElement>& all) {
  std::ranges::sort(all, IsBetter);
}

void JudgeFirst(Ranking& ranking, double next, const RankRules& rules, TextNeed need) {
  if (ranking.best.empty()) {
    ranking.reason = "no_candidates";
    return;
  }
  const RankedElement& first = ranking.best.front();
  ranking.margin = Rounded(first.score - next);
  if (first.score < rules.least) {
    ranking.reason = fmt::format("too_weak_{:.2f}", first.score);
  } else if (need == TextNeed::kAsRuled && first.parts.text < rules.least_text) {
    ranking.reason = fmt::format("too_weak_{:.2f}", first.parts.text);
  } else if (ranking.margin < rules.margin) {
    ranking.reason = fmt::format("too_close_{:.2f}", ranking.margin);
  } else {
    ranking.reason = "clear";
    ranking.is_clear = true;
  }
}

double NextScore(const Ranking& ranking) {
  return ranking.best.size() > 1 ? ranking.best[1].score : 0;
}

void Shorten(Ranking& ranking, const RankRules& rules) {
  if (ranking.best.size() > rules.most) ranking.best.resize(rules.most);
}

}  // namespace falconer::predict
