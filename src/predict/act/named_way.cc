#include "predict/act/named_way.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "predict/signature.h"

namespace falconer::predict {
namespace {

constexpr std::string_view kByWorkflow = "workflow";

// Of equals the one that comes first in the workflow; the end comes last.
bool IsSurer(const Guess& a, const Guess& b) {
  if (a.confidence != b.confidence) return a.confidence > b.confidence;
  return a.open && (!b.open || *a.open < *b.open);
}

// Sightings so few are no certainty.
double Discounted(double share, int seen) {
  return share * (seen + 0.5) / (seen + 1.0);
}

std::optional<std::size_t> PlaceOfSymbol(std::uint64_t symbol, const std::vector<OpenStep>& open,
                                         const std::vector<std::size_t>& present) {
  for (const std::size_t at : present) {
    if (open[at].symbol == symbol) return at;
  }
  return std::nullopt;
}

}  // namespace

NamedWay::NamedWay(LearnedWorkflow workflow, std::vector<WorkflowStep> bound,
                   const LearntNext& learnt)
    : workflow_(std::move(workflow)), bound_(std::move(bound)), learnt_(learnt) {
  CHECK(bound_.size() == workflow_.steps.size(), "every step of the workflow is bound");
}

int NamedWay::recordings() const {
  return std::max(1, workflow_.recordings);
}

bool NamedWay::IsOptional(const WorkflowStep& step) const {
  return step.recordings < workflow_.recordings;
}

std::vector<OpenStep> NamedWay::Open(const RunPlace& /*place*/) const {
  std::vector<OpenStep> open;
  for (std::size_t i = next_; i < bound_.size(); ++i) {
    const bool is_optional = IsOptional(bound_[i]);
    open.push_back({.step = bound_[i],
                    .symbol = SymbolOf(workflow_.steps[i].signature),
                    .is_optional = is_optional,
                    .index = i});
    if (!is_optional) break;
  }
  return open;
}

bool NamedWay::MayEnd() const {
  return std::all_of(bound_.begin() + static_cast<std::ptrdiff_t>(next_), bound_.end(),
                     [this](const WorkflowStep& step) { return IsOptional(step); });
}

// What was done each time takes what the optional steps before it leave.
std::vector<Guess> NamedWay::ByOrder(const std::vector<OpenStep>& open,
                                     const std::vector<std::size_t>& present) const {
  std::vector<Guess> guesses;
  double left = 1;
  double all = 0;
  for (const std::size_t at : present) {
    const double often = static_cast<double>(open[at].step.recordings) / recordings();
    const double share = left * (open[at].is_optional ? often : 1);
    guesses.push_back({.open = at, .confidence = share, .source = std::string(kByWorkflow)});
    left -= share;
    all += share;
  }
  if (MayEnd()) {
    guesses.push_back({.confidence = left, .source = std::string(kByWorkflow)});
    all += left;
  }
  for (Guess& guess : guesses)
    guess.confidence = all > 0 ? Discounted(guess.confidence / all, recordings()) : 0;
  std::ranges::sort(guesses, IsSurer);
  return guesses;
}

std::vector<Guess> NamedWay::ByLearnt(const RunPlace& place, const std::vector<OpenStep>& open,
                                      const std::vector<std::size_t>& present, double* seen) const {
  std::vector<std::uint64_t> possible;
  for (const std::size_t at : present) possible.push_back(open[at].symbol);
  if (MayEnd()) possible.push_back(kBoundary);
  std::vector<Guess> guesses;
  if (possible.empty()) return guesses;
  for (const Prediction& one : learnt_.Predict({.history = place.history,
                                                .page = place.page,
                                                .possible = possible,
                                                .most = possible.size()})) {
    const auto at = PlaceOfSymbol(one.symbol, open, present);
    const bool is_end = one.symbol == kBoundary && MayEnd();
    if (!at && !is_end) continue;
    if (guesses.empty()) *seen = one.seen;
    guesses.push_back(
        {.open = at, .confidence = one.confidence, .source = std::string(one.source)});
  }
  std::ranges::sort(guesses, IsSurer);
  return guesses;
}

// Where both say the same, the surer one counts; else who has seen more of it.
std::vector<Guess> NamedWay::Guesses(const RunPlace& place, const std::vector<OpenStep>& open,
                                     const std::vector<std::size_t>& present) const {
  std::vector<Guess> by_order = ByOrder(open, present);
  double seen = 0;
  std::vector<Guess> by_learnt = ByLearnt(place, open, present, &seen);
  if (by_learnt.empty() || by_order.empty()) return by_order;
  const Guess& first = by_order.front();
  const Guess& other = by_learnt.front();
  if (first.open == other.open) return other.confidence > first.confidence ? by_learnt : by_order;
  return seen > recordings() ? by_learnt : by_order;
}

std::vector<std::string> NamedWay::Done(const OpenStep& step) {
  CHECK(step.index && *step.index >= next_, "a step of the workflow that is still open");
  std::vector<std::string> skipped;
  for (; next_ < *step.index; ++next_) skipped.push_back(bound_[next_].id);
  ++next_;
  return skipped;
}

std::vector<std::string> NamedWay::Still() const {
  std::vector<std::string> still;
  for (std::size_t i = next_; i < workflow_.steps.size(); ++i)
    still.push_back(workflow_.steps[i].intent);
  return still;
}

std::vector<WorkflowStep> NamedWay::Later(std::size_t most) const {
  const auto from = std::find_if(bound_.begin() + static_cast<std::ptrdiff_t>(next_), bound_.end(),
                                 [this](const WorkflowStep& step) { return !IsOptional(step); });
  if (from == bound_.end()) return {};
  const auto left = static_cast<std::size_t>(bound_.end() - from) - 1;
  const auto count = static_cast<std::ptrdiff_t>(std::min(most, left));
  return {from + 1, from + 1 + count};
}

const WorkflowStep* NamedWay::Document(const OpenStep& step) const {
  return step.index ? &workflow_.steps[*step.index] : nullptr;
}

}  // namespace falconer::predict
