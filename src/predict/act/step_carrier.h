#pragma once
// StepCarrier: carries out the step that was decided on, finds its element again where its
// selectors do not, and says what came of it. What succeeds is done; what does not ends the run.

#include "predict/act/healer.h"
#include "predict/act/run_frame.h"

namespace falconer::predict {

// A step that was decided on.
struct ChosenStep {
  OpenStep open;
  double confidence = 0;
  std::string source;
  std::string reason;
  ChosenBy by = ChosenBy::kPrediction;
  // Of an element that was found again: the selector, its score, and what finds it.
  std::optional<HealedSelector> healed = std::nullopt;
  std::vector<std::string> selectors = {};
  // The element itself, as it was found on the page; "" when it was not looked for.
  std::string ref = {};
};

class StepCarrier {
 public:
  // The frame must outlive this.
  explicit StepCarrier(RunFrame& frame) : frame_(frame) {}

  // True when it was done (or would be, in a dry run).
  Task<bool> CarryOut(ChosenStep chosen);
  // Looks for its element by its fingerprint first. Where it is not clear which one it is, nothing
  // is done, and that ranking is the answer.
  Task<std::optional<Ranking>> HealAndCarryOut(ChosenStep chosen);
  // Whether anything was seen of what the last step brought about.
  bool had_effect() const { return had_effect_; }

 private:
  Task<model::ActionExecutionResult> Execute(const ChosenStep* chosen);
  // After its element was not found while it was carried out; at most once for a step.
  Task<bool> TryHealing(ChosenStep chosen, StepReport report);
  bool Finish(ChosenStep chosen, const model::ActionExecutionResult& result, StepReport report);
  // An element that would do worse than the one that was learnt from takes nobody's place.
  void RefuseGrave(const WorkflowStep& step, Healing& healing);
  void Imagine(const ChosenStep& chosen);
  void LearnHealing(const ChosenStep& chosen, const TurnId& turn, StepReport& report);
  void TellSkipped(const std::vector<std::string>& ids);

  RunFrame& frame_;
  bool had_effect_ = false;
};

}  // namespace falconer::predict
