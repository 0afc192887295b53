#pragma once
// What the ways of ranking share: scores from their parts, and whether the best is meant.

#include <vector>

#include "predict/act/ranker.h"

namespace falconer::predict {

// Rounded, so that no machine orders scores otherwise.
double ScoreOf(const RankParts& parts, const RankWeights& weights);

// Best first; of equals the lesser ref first.
void SortRanked(std::vector<RankedElement>& all);

// Whether too little text is made up for by something else.
enum class TextNeed : std::uint8_t { kAsRuled, kNone };

// Judges the first of those that are sorted. `next` is the score that it must be ahead of.
void JudgeFirst(Ranking& ranking, double next, const RankRules& rules,
                TextNeed need = TextNeed::kAsRuled);
// The second's score; 0 when there is none.
double NextScore(const Ranking& ranking);
void Shorten(Ranking& ranking, const RankRules& rules);

}  // namespace falconer::predict
