#pragma once
// PredictedRun: acts by prediction: looks at the page, predicts what comes next, plans, validates,
// carries it out, and goes on, until what was asked for is done or a person must say more. Every
// step is a contract that goes through the gates like any other. Nothing it does is learnt as if
// somebody had chosen it.

#include <memory>
#include <optional>
#include <string>

#include "predict/act/advice_taker.h"
#include "predict/act/planner.h"
#include "predict/act/run_frame.h"
#include "predict/act/scene.h"
#include "predict/act/step_carrier.h"

namespace falconer::predict {

class PredictedRun {
 public:
  // All that the order and the rooms name must outlive this.
  PredictedRun(const CallContext& ctx, RunRooms rooms, RunOrder order,
               std::unique_ptr<StepWay> way);
  PredictedRun(const PredictedRun&) = delete;
  PredictedRun& operator=(const PredictedRun&) = delete;

  // To its end. Called once. What it came to is a report, whatever it is.
  Task<PredictedReport> Go();

 private:
  Task<void> Iterate();
  Task<void> Decide(Scene scene);
  Task<void> Take(Scene scene, Guess guess, std::string reason);
  void Complete(const Guess& guess, const NextPlan& plan, const Scene& scene);
  // Nothing that may come next is there.
  Task<void> Miss(Scene scene);
  // Gives it a while to come; false when it had that already.
  Task<bool> Settle(const Scene* scene);
  Task<void> FindAgain(Scene scene);
  // Below what it takes, a model is asked where there is one, and else a person.
  Task<void> AskSomebody(Scene scene, RunQuestion question);
  void NoteDecision(const Guess& guess);

  RunFrame frame_;
  StepCarrier carrier_;
  AdviceTaker adviser_;
  TimePoint looked_;
  bool has_settled_ = false;  // since the last step
};

}  // namespace falconer::predict
