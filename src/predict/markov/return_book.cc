#include "predict/markov/return_book.h"

#include <algorithm>
#include <array>

#include "predict/markov/context_shape.h"

namespace falconer::predict {
namespace {

// Upper ends of the steps.
constexpr std::array kCounted = {0.01, 0.05, 0.15, 0.3, 0.5, 0.7, 0.9};
constexpr std::array kReturnShares = {0.0, 0.05, 0.1, 0.2, 0.5};
constexpr double kReturnStrength = 2;

constexpr std::size_t kShareSteps = kReturnShares.size() + 1;
constexpr std::size_t kReturnCells = (kCounted.size() + 1) * kShareSteps * 2;

template <std::size_t N>
std::size_t ReturnStep(const std::array<double, N>& ends, double value) {
  return static_cast<std::size_t>(std::ranges::lower_bound(ends, value) - ends.begin());
}

}  // namespace

ReturnBook::ReturnBook() : book_(ReservedContext(2), kReturnCells) {
}

std::size_t ReturnBook::CellOf(double counted, const ReturnHabit& habit) {
  const std::size_t row = ReturnStep(kCounted, counted) * kShareSteps;
  return (row + ReturnStep(kReturnShares, habit.share)) * 2 + (habit.was_return ? 1 : 0);
}

double ReturnBook::Chance(double counted, const ReturnHabit& habit) const {
  return book_.Share(CellOf(counted, habit), counted, kReturnStrength);
}

void ReturnBook::Note(std::size_t cell, bool has_returned, std::int32_t day) {
  book_.Note(cell, {.hits = has_returned ? 1.0F : 0.0F, .total = 1}, day);
}

}  // namespace falconer::predict
