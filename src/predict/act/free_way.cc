#include "predict/act/free_way.h"

#include <algorithm>
#include <utility>

namespace falconer::predict {
namespace {

// Of what can come next, so many are looked for on the page.
constexpr std::size_t kMostOpen = 16;

}  // namespace

std::vector<OpenStep> FreeWay::Open(const RunPlace& place) const {
  std::vector<OpenStep> open;
  for (const Prediction& one :
       learnt_.Predict({.history = place.history, .page = place.page, .most = kMostOpen})) {
    if (one.symbol == kBoundary) continue;
    auto step = learnt_.StepOf(one.symbol);
    if (step) open.push_back({.step = *std::move(step), .symbol = one.symbol, .is_optional = true});
  }
  return open;
}

std::vector<Guess> FreeWay::Guesses(const RunPlace& place, const std::vector<OpenStep>& open,
                                    const std::vector<std::size_t>& present) const {
  std::vector<std::uint64_t> possible;
  // Where everything else is missing, what is left is not the end.
  const auto likeliest = learnt_.Predict({.history = place.history, .page = place.page, .most = 1});
  if (!likeliest.empty() && likeliest.front().symbol == kBoundary) possible.push_back(kBoundary);
  for (const std::size_t at : present) possible.push_back(open[at].symbol);
  std::vector<Guess> guesses;
  if (possible.empty()) return guesses;
  for (const Prediction& one : learnt_.Predict({.history = place.history,
                                                .page = place.page,
                                                .possible = possible,
                                                .most = possible.size()})) {
    Guess guess{.confidence = one.confidence, .source = std::string(one.source)};
    if (one.symbol != kBoundary) {
      const auto found = std::ranges::find_if(
          present, [&](std::size_t at) { return open[at].symbol == one.symbol; });
      if (found == present.end()) continue;
      guess.open = *found;
    }
    guesses.push_back(std::move(guess));
  }
  return guesses;
}

}  // namespace falconer::predict
