#pragma once
// Ranker: which of a page's elements is the one that is meant, by a fingerprint or by words. Scores
// from 0 to 1; the same input always gives the same order.

#include <string>
#include <string_view>
#include <vector>

#include "engine/look.h"
#include "model/fingerprint/fingerprint.h"

namespace falconer::predict {

inline constexpr std::string_view kRankerVersion = "falconer-rank-1";

// The weights of the parts of a score (sum 1).
struct RankWeights {
  double text = 0.40;
  double role = 0.20;
  double stability = 0.15;
  double spatial = 0.10;
  double enabled = 0.10;
  double specificity = 0.05;
};

struct RankRules {
  RankWeights weights = {};
  std::size_t most = 5;
  // What the best must have, and be ahead of the next.
  double least = 0.55;
  double margin = 0.10;
};

struct RankedElement {
  engine::SeenElement element;
  double score = 0;
};

struct Ranking {
  std::vector<RankedElement> best;  // best first; of equals the lesser ref first
  // Whether the first is meant beyond doubt: good enough, and clearly ahead.
  bool is_clear = false;
  std::string reason;  // "clear", "no_candidates", "too_weak_0.41", "too_close_0.03"
};

Ranking RankByFingerprint(const model::Fingerprint& wanted,
                          const std::vector<engine::SeenElement>& seen,
                          const RankRules& rules = {});
// `roles`: what the action can be done to; empty for anything.
Ranking RankByWords(std::string_view words, const std::vector<std::string>& roles,
                    const std::vector<engine::SeenElement>& seen, const RankRules& rules = {});

}  // namespace falconer::predict
