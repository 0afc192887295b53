#pragma once
// RunFrame: what the parts of one run share: what it is to do, its time, what it did so far, and
// how it ends.

#include <memory>
#include <optional>
#include <string>

#include "predict/act/bound_probes.h"
#include "predict/act/loop_guard.h"
#include "predict/act/predicted_report.h"
#include "predict/act/run_order.h"
#include "predict/act/step_way.h"

namespace falconer::predict {

class RunFrame {
 public:
  // Time begins to pass; while people are asked about the session it stands still.
  RunFrame(const CallContext& ctx, RunRooms rooms, RunOrder order, std::unique_ptr<StepWay> way);
  RunFrame(const RunFrame&) = delete;
  RunFrame& operator=(const RunFrame&) = delete;

  const CallContext& ctx() const { return ctx_; }
  const RunOrder& order() const { return order_; }
  RunRooms& rooms() { return rooms_; }
  StepWay& way() { return *way_; }
  ActNumbers& numbers() { return rooms_.numbers; }
  BoundProbes& probes() { return probes_; }
  TimePoint Now() const { return ctx_.clock().Now(); }

  // Counts an iteration; false when there may be none any more: the run has ended then.
  bool BeginIteration();
  bool is_over() const { return is_over_; }

  // A dry run that is past what the page can show: it was not done.
  bool is_imagined() const { return order_.mode == RunMode::kDryRun && !report_.steps.empty(); }

  RunPlace Place() const;
  // Another contract of the run, with a number of its own.
  StepPlace NextPlace(ChosenBy by, json::object told);
  // False when it was done here too often.
  bool MayDoAgain(std::uint64_t symbol);
  // It was done, and the page is now as the result says.
  void NoteDone(const OpenStep& step, const model::ActionExecutionResult& result);
  // In a dry run: as if it had been.
  void Imagine(const OpenStep& step);
  // The id of the last step that was done; "" for none.
  const std::string& last_step() const { return last_; }
  // What was done so far, for people and models.
  std::vector<std::string> DoneSoFar() const;
  void NoteDeciding(Duration took);

  void Tell(StepReport report);
  // Only the first end counts.
  void End(RunOutcome outcome, std::string reason, std::optional<Error> error = std::nullopt);
  // As a failure makes it end; a call that is off or whose time is up ends as that.
  void EndFor(const Error& error);
  void Ask(RunQuestion question);
  PredictedReport Close();

 private:
  void OnAsking(bool is_asking);
  Duration Used() const;

  RunRooms rooms_;
  RunOrder order_;
  std::unique_ptr<StepWay> way_;
  std::shared_ptr<StoppedTime> stops_;
  CallContext ctx_;
  TimePoint begun_;
  std::unique_ptr<StandingStill> asking_;
  Subscription asked_;
  PredictedReport report_;
  bool is_over_ = false;
  std::vector<std::uint64_t> history_;
  std::int64_t contracts_ = 0;
  std::string state_;  // of the page after the last step; "" when it is not known
  std::string last_;   // the id of the last step that was done
  BoundProbes probes_;
  LoopGuard loops_;
};

}  // namespace falconer::predict
