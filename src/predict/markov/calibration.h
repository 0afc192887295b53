#pragma once
// Calibration: how often the best prediction came true that was as likely, of as long a context,
// and had seen as much. Learnt from what was predicted before it was observed. With nothing to go
// by, what was seen seldom is believed little.

#include "predict/markov/tally_book.h"

namespace falconer::predict {

// What is known of the best prediction.
struct BestFacts {
  double probability = 0;
  int order = 0;
  double seen = 0;
};

class Calibration {
 public:
  Calibration();

  // Above 0 and below 1.
  double ConfidenceOf(const BestFacts& best) const;
  void Note(const BestFacts& best, bool came_true, std::int32_t day);

  TallyBook& book() { return book_; }
  const TallyBook& book() const { return book_; }

 private:
  double AtStep(int step, const BestFacts& best) const;

  TallyBook book_;
};

}  // namespace falconer::predict
