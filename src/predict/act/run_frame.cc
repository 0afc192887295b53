#include "predict/act/run_frame.h"

#include <utility>

#include "base/log.h"

namespace falconer::predict {

RunFrame::RunFrame(const CallContext& ctx, RunRooms rooms, RunOrder order,
                   std::unique_ptr<StepWay> way)
    : rooms_(rooms),
      order_(std::move(order)),
      way_(std::move(way)),
      stops_(std::make_shared<StoppedTime>(ctx.clock())),
      ctx_(ctx.WithStops(stops_).WithTimeout(order_.limits.timeout)),
      begun_(ctx.clock().Now()),
      asked_(rooms_.page.OnAsking([this](bool is_asking) { OnAsking(is_asking); })),
      history_(order_.history),
      loops_(order_.limits.loop_limit) {
  report_.run = order_.run;
  report_.workflow = order_.workflow;
  report_.session = order_.session;
}

void RunFrame::OnAsking(bool is_asking) {
  if (is_asking == (asking_ != nullptr)) return;
  asking_ = is_asking ? std::make_unique<StandingStill>(stops_) : nullptr;
}

Duration RunFrame::Used() const {
  return Now() - begun_ - stops_->total();
}

bool RunFrame::BeginIteration() {
  if (const auto wanted = ctx_.StillWanted("the run"); !wanted) {
    EndFor(wanted.error());
  } else if (report_.iterations >= order_.limits.max_iterations) {
    End(RunOutcome::kMaxIterations, "max_iterations");
  } else {
    ++report_.iterations;
  }
  return !is_over_;
}

RunPlace RunFrame::Place() const {
  return {.history = history_, .page = rooms_.learnt.PageOf(rooms_.page.Url())};
}

StepPlace RunFrame::NextPlace(ChosenBy by, json::object told) {
  return {.session = order_.session,
          .run = order_.run,
          .index = contracts_++,
          .by = by,
          .told = std::move(told)};
}

bool RunFrame::MayDoAgain(std::uint64_t symbol) {
  return loops_.Take(symbol, rooms_.page.Url(), state_);
}

void RunFrame::NoteDone(const OpenStep& step, const model::ActionExecutionResult& result) {
  history_.push_back(step.symbol);
  last_ = step.step.id;
  state_ = result.post_state_id;
  probes_.After(result);
}

void RunFrame::Imagine(const OpenStep& step) {
  history_.push_back(step.symbol);
  last_ = step.step.id;
}

std::vector<std::string> RunFrame::DoneSoFar() const {
  std::vector<std::string> done;
  for (const StepReport& step : report_.steps) {
    if (step.decision == StepDecision::kExecuted && !step.error) done.push_back(step.intent);
  }
  return done;
}

void RunFrame::NoteDeciding(Duration took) {
  report_.deciding += took;
  numbers().deciding += took;
}

void RunFrame::Tell(StepReport report) {
  if (order_.news) order_.news(report.ToJson());
  report_.steps.push_back(std::move(report));
}

void RunFrame::End(RunOutcome outcome, std::string reason, std::optional<Error> error) {
  if (is_over_) return;
  is_over_ = true;
  report_.outcome = outcome;
  report_.reason = std::move(reason);
  report_.error = std::move(error);
}

void RunFrame::EndFor(const Error& error) {
  RunOutcome outcome = OutcomeOf(error.code());
  if (!ctx_.cancel().Check()) {
    outcome = RunOutcome::kCancelled;
  } else if (!ctx_.StillWanted("the run")) {
    outcome = RunOutcome::kTimedOut;
  }
  End(outcome, std::string(error.name()), error);
}

void RunFrame::Ask(RunQuestion question) {
  if (is_over_) return;
  ++numbers().asked_people;
  End(RunOutcome::kAsks, question.why);
  report_.question = std::move(question);
}

PredictedReport RunFrame::Close() {
  report_.took = Used();
  report_.stood_still = stops_->total();
  LOG(info, "predict.run_over", {"run", order_.run.value()}, {"workflow", order_.workflow},
      {"outcome", NameIn(kRunOutcomes, report_.outcome)}, {"steps", report_.steps.size()});
  return std::move(report_);
}

}  // namespace falconer::predict
