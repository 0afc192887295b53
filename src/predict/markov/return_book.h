#pragma once
// ReturnBook: how likely it is that something is done once more that was done in this sequence.
// On most sites people do not come back to what they have seen, while in a form the same key is
// pressed again and again: learnt from how often it happened, by how likely the counts alone make
// it and by how it was in this sequence so far.

#include <span>

#include "predict/markov/tally_book.h"

namespace falconer::predict {

// How it was so far.
struct ReturnHabit {
  double share = 0;         // of the steps, those that were done before
  bool was_return = false;  // the last step was one
};

class ReturnBook {
 public:
  ReturnBook();

  // `counted`: the chance by the counts alone.
  static std::size_t CellOf(double counted, const ReturnHabit& habit);
  double Chance(double counted, const ReturnHabit& habit) const;
  void Note(std::size_t cell, bool has_returned, std::int32_t day);

  TallyBook& book() { return book_; }
  const TallyBook& book() const { return book_; }

 private:
  TallyBook book_;
};

}  // namespace falconer::predict
