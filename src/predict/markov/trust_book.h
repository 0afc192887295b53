#pragma once
// TrustBook: how far a context is to be trusted before shorter ones are asked, learnt from how
// often what it knew was what came: by its shape, how much it has seen, and how much of that was
// the same. One that has seen little or many different things is trusted less to begin with.

#include "predict/markov/tally_book.h"

namespace falconer::predict {

// What is known of a context before it is asked.
struct ContextFacts {
  std::size_t shape = 0;
  double seen = 0;  // its weights together
  double top = 0;   // the heaviest of them
};

// All that can come, or only what was not done yet in the sequence: a context that is rich in the
// first may be poor in the second.
enum class TrustAbout : std::uint8_t { kAnything, kNewThings };

class TrustBook {
 public:
  TrustBook();

  static std::size_t CellOf(TrustAbout about, const ContextFacts& facts);
  // Between 0 and 1; 0 for a context that has seen nothing.
  double TrustIn(TrustAbout about, const ContextFacts& facts) const;
  // `blame` is the chance that the context was what decided, given what came, and `asked` that it
  // was asked at all.
  void Note(std::size_t cell, double blame, double asked, std::int32_t day);

  TallyBook& book() { return book_; }
  const TallyBook& book() const { return book_; }

 private:
  TallyBook book_;
};

// How much was seen, in eight steps.
std::size_t AmountStep(double seen);

}  // namespace falconer::predict
