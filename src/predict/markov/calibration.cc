#include "predict/markov/calibration.h"

#include <algorithm>
#include <cmath>

#include "predict/markov/context_shape.h"
#include "predict/markov/trust_book.h"

namespace falconer::predict {
namespace {

// Steps of even width of the log odds, from 0.25 % to 99.998 %: what is nearly sure is told apart.
constexpr int kOddsSteps = 40;
constexpr double kLowestOdds = -6;
constexpr double kStepsPerUnit = 2.5;
constexpr double kLeastChance = 1e-4;
// Amounts of what was seen, two steps in one.
constexpr std::size_t kSeenSteps = 4;
constexpr double kCalibrationStrength = 5;

// One cell for each step of the odds, then those that are told apart further.
constexpr std::size_t kCalibrationCells =
    kOddsSteps * (1 + kSeenSteps * (std::size_t{kLongestOrder} + 1));

double PlaceInSteps(double probability) {
  const double chance = std::clamp(probability, kLeastChance, 1 - kLeastChance);
  return (std::log(chance / (1 - chance)) - kLowestOdds) * kStepsPerUnit - 0.5;
}

int StepOf(double place) {
  return std::clamp(static_cast<int>(std::floor(place)), 0, kOddsSteps - 1);
}

double MiddleOf(int step) {
  return 1 / (1 + std::exp(-((step + 0.5) / kStepsPerUnit + kLowestOdds)));
}

std::size_t FineCell(int step, const BestFacts& best) {
  const auto order = static_cast<std::size_t>(std::clamp(best.order, 0, kLongestOrder));
  const std::size_t row = 1 + order * kSeenSteps + AmountStep(best.seen) / 2;
  return row * kOddsSteps + static_cast<std::size_t>(step);
}

}  // namespace

Calibration::Calibration() : book_(ReservedContext(3), kCalibrationCells) {
}

// One sighting is half a reason at most, whatever held for what was seen often.
double Calibration::AtStep(int step, const BestFacts& best) const {
  const double shrunk = best.seen / (best.seen + 1);
  const double middle = MiddleOf(step);
  const double any = book_.Share(static_cast<std::size_t>(step), middle, kCalibrationStrength);
  return book_.Share(FineCell(step, best), std::min(any, middle) * shrunk, kCalibrationStrength);
}

double Calibration::ConfidenceOf(const BestFacts& best) const {
  const double place = PlaceInSteps(best.probability);
  const double above = std::clamp(place - std::floor(place), 0.0, 1.0);
  return AtStep(StepOf(place), best) * (1 - above) + AtStep(StepOf(place + 1), best) * above;
}

void Calibration::Note(const BestFacts& best, bool came_true, std::int32_t day) {
  const int step = StepOf(PlaceInSteps(best.probability) + 0.5);
  const Tally tally{.hits = came_true ? 1.0F : 0.0F, .total = 1};
  book_.Note(static_cast<std::size_t>(step), tally, day);
  book_.Note(FineCell(step, best), tally, day);
}

}  // namespace falconer::predict
