#pragma once
// AdviceTaker: asks a model what comes next, and does what it says if that is complete, on the page
// and harmless. What had its effect is learnt, so that the same is not asked again.

#include "predict/act/scene.h"
#include "predict/act/step_carrier.h"

namespace falconer::predict {

class AdviceTaker {
 public:
  // Both must outlive this.
  AdviceTaker(RunFrame& frame, StepCarrier& carrier) : frame_(frame), carrier_(carrier) {}

  // Whether there is somebody who may be asked.
  bool MayAsk() const;
  // Whether he is to be asked about a prediction of this confidence.
  bool ShouldAsk(double confidence) const;
  // True when a step was done. Where there is no useful advice, people are asked the question.
  Task<bool> AskAndTake(Scene scene, RunQuestion otherwise);

 private:
  Task<bool> Take(Scene scene, Advice advice, RunQuestion otherwise);
  void AskPeople(RunQuestion question, std::string why);

  RunFrame& frame_;
  StepCarrier& carrier_;
  std::vector<engine::SeenElement> seen_;
};

}  // namespace falconer::predict
