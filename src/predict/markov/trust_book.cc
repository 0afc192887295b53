#include "predict/markov/trust_book.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "predict/markov/context_shape.h"

namespace falconer::predict {
namespace {

// Upper ends of the steps.
constexpr std::array kAmounts = {1.25, 2.25, 3.25, 5.5, 9.0, 17.0, 65.0};
// From which share of the heaviest on; and for how many unseen things such a context stands.
struct SharpnessRow {
  double from;
  double doubt;
};
constexpr SharpnessRow kSharpness[] = {{0.999, 1}, {0.8, 1.5}, {0.5, 2},
                                       {0.25, 4},  {0.1, 8},   {0, 16}};
constexpr double kTrustStrength = 4;

constexpr std::size_t kAmountSteps = kAmounts.size() + 1;
constexpr std::size_t kTrustCells =
    2 * kContextShapes.size() * kAmountSteps * std::size(kSharpness);

std::size_t SharpnessStep(const ContextFacts& facts) {
  const double share = facts.top / facts.seen;
  std::size_t step = 0;
  while (share < kSharpness[step].from) ++step;
  return step;
}

}  // namespace

std::size_t AmountStep(double seen) {
  return static_cast<std::size_t>(std::ranges::lower_bound(kAmounts, seen) - kAmounts.begin());
}

TrustBook::TrustBook() : book_(ReservedContext(1), kTrustCells) {
}

std::size_t TrustBook::CellOf(TrustAbout about, const ContextFacts& facts) {
  const std::size_t row =
      (about == TrustAbout::kAnything ? 0 : kContextShapes.size()) + facts.shape;
  return (row * kAmountSteps + AmountStep(facts.seen)) * std::size(kSharpness) +
         SharpnessStep(facts);
}

double TrustBook::TrustIn(TrustAbout about, const ContextFacts& facts) const {
  if (facts.seen <= 0) return 0;
  const double prior = facts.seen / (facts.seen + kSharpness[SharpnessStep(facts)].doubt);
  return book_.Share(CellOf(about, facts), prior, kTrustStrength);
}

void TrustBook::Note(std::size_t cell, double blame, double asked, std::int32_t day) {
  book_.Note(cell, {.hits = static_cast<float>(blame), .total = static_cast<float>(asked)}, day);
}

}  // namespace falconer::predict
