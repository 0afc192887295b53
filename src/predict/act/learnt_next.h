#pragma once
// LearntNext: what was learnt, as a run asks for it; and RunMemory: what a run learns while it
// acts. Both are called on the runtime's event loop and must not wait.

#include <optional>
#include <string>
#include <vector>

#include "predict/markov/predictor.h"
#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {

class LearntNext {
 public:
  virtual ~LearntNext() = default;

  // Best first. Where kBoundary is possible, it stands for the end.
  virtual std::vector<Prediction> Predict(const PredictQuestion& question) const = 0;
  // How an action that is known by its symbol is done again; nothing when nobody knows.
  virtual std::optional<WorkflowStep> StepOf(std::uint64_t symbol) const = 0;
  // The symbol of a page by its address; 0 for none.
  virtual std::uint64_t PageOf(const std::string& url) const = 0;
};

// A step whose element was found by other selectors, and had its effect.
struct HealedStep {
  std::string workflow;
  std::string step;
  HealedSelector how;
  // To be tried before those that the step has, with {name} for parameters; the best first.
  std::vector<std::string> selectors;
};

// A step that a model chose, and that had its effect.
struct AdvisedStep {
  std::string workflow;  // "" for none
  std::string after;     // the id of the step before it; "" when it was the first
  WorkflowStep step;     // with {name} for parameters
};

class RunMemory {
 public:
  virtual ~RunMemory() = default;
  virtual void OnHealed(const HealedStep& healed) = 0;
  virtual void OnAdvised(const AdvisedStep& advised) = 0;
};

}  // namespace falconer::predict
