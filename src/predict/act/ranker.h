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
  // What the best must have of its texts alone: nothing else makes up for another name.
  double least_text = 0.50;
};

// Each from 0 to 1.
struct RankParts {
  double text = 0;
  double role = 0;
  double stability = 0;
  double spatial = 0;
  double enabled = 0;
  double specificity = 0;
};

struct RankedElement {
  engine::SeenElement element;
  double score = 0;
  RankParts parts = {};
};

struct Ranking {
  std::vector<RankedElement> best;  // best first; of equals the lesser ref first
  // Whether the first is meant beyond doubt: good enough, and clearly ahead.
  bool is_clear = false;
  double margin = 0;   // of the first over the next; its own score when there is none
  std::string reason;  // "clear", "no_candidates", "too_weak_0.41", "too_close_0.03"
};

// Elements of another kind (a button for a field) are left out. What authors call an element counts
// as much as what it says: one whose test id or id and name are the same is not judged by its texts
// alone.
Ranking RankByFingerprint(const model::Fingerprint& wanted,
                          const std::vector<engine::SeenElement>& seen,
                          const RankRules& rules = {});
// `roles`: what the action can be done to; empty for anything. Of several that are called the same,
// words such as "first", "second" and "last" tell which, in the order in which they were seen.
Ranking RankByWords(std::string_view words, const std::vector<std::string>& roles,
                    const std::vector<engine::SeenElement>& seen, const RankRules& rules = {});

}  // namespace falconer::predict
