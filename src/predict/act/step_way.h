#pragma once
// StepWay: where the steps of a run come from: the workflow that was asked for, or what was learnt
// of everything that is done.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "predict/act/open_step.h"
#include "predict/act/validator.h"

namespace falconer::predict {

// What was done, and where it led.
struct RunPlace {
  std::span<const std::uint64_t> history;  // oldest first
  std::uint64_t page = 0;
};

class StepWay {
 public:
  virtual ~StepWay() = default;

  virtual Freedom freedom() const = 0;
  // What may come next; the likeliest first, or in the order of the workflow. One that must be done
  // comes last.
  virtual std::vector<OpenStep> Open(const RunPlace& place) const = 0;
  // Nothing that must be done is left.
  virtual bool MayEnd() const = 0;
  // How sure it is of each of `open` that is on the page now (`present`, their positions), and of
  // the end where there may be one; the surest first. Empty when nothing can come.
  virtual std::vector<Guess> Guesses(const RunPlace& place, const std::vector<OpenStep>& open,
                                     const std::vector<std::size_t>& present) const = 0;
  // It was done; what is before it and was not, is left out. Those, by their ids.
  virtual std::vector<std::string> Done(const OpenStep& step) = 0;
  // What is still to be done, for people and models.
  virtual std::vector<std::string> Still() const = 0;
  // What comes after what may come next, so many at most, with parameters bound.
  virtual std::vector<WorkflowStep> Later(std::size_t most) const = 0;
  // As it is in its document, with {name} for parameters; null when it is of none.
  virtual const WorkflowStep* Document(const OpenStep& step) const = 0;
};

}  // namespace falconer::predict
