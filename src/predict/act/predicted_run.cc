#include "predict/act/predicted_run.h"

#include <fmt/format.h>
#include <utility>

namespace falconer::predict {
namespace {

std::vector<engine::ProbedTarget> TargetsOf(const Scene& scene) {
  std::vector<engine::ProbedTarget> targets;
  for (const OpenStep& open : scene.open) {
    engine::ProbedTarget target = ProbedOf(open.step);
    if (!target.selectors.empty()) targets.push_back(std::move(target));
  }
  return targets;
}

ChosenStep ChosenFrom(const OpenStep& open, const Guess& guess, std::string reason) {
  return {.open = open,
          .confidence = guess.confidence,
          .source = guess.source,
          .reason = std::move(reason)};
}

}  // namespace

PredictedRun::PredictedRun(const CallContext& ctx, RunRooms rooms, RunOrder order,
                           std::unique_ptr<StepWay> way)
    : frame_(ctx, rooms, std::move(order), std::move(way)),
      carrier_(frame_),
      adviser_(frame_, carrier_) {
}

Task<PredictedReport> PredictedRun::Go() {
  while (!frame_.is_over() && frame_.BeginIteration()) co_await Iterate();
  co_return frame_.Close();
}

Task<void> PredictedRun::Iterate() {
  looked_ = frame_.Now();
  auto scene = co_await ObserveScene(&frame_);
  if (!scene) co_return;
  if (scene->guesses.empty()) {
    co_await Miss(*std::move(scene));
  } else {
    co_await Decide(*std::move(scene));
  }
}

void PredictedRun::NoteDecision(const Guess& guess) {
  ++frame_.numbers().decisions;
  frame_.numbers().confidence_sum += guess.confidence;
  frame_.NoteDeciding(frame_.Now() - looked_);
}

Task<void> PredictedRun::Decide(Scene scene) {
  const Guess guess = scene.guesses.front();
  const NextPlan plan = PlanNext(guess.confidence, frame_.order().limits.threshold);
  NoteDecision(guess);
  if (!guess.open) {
    Complete(guess, plan, scene);
    co_return;
  }
  const bool is_sure = plan.executes && !adviser_.ShouldAsk(guess.confidence);
  if (is_sure) {
    co_await Take(std::move(scene), guess, plan.reason);
    co_return;
  }
  RunQuestion question{
      .text = fmt::format("Is it right to {}?", scene.open[*guess.open].step.intent),
      .why = plan.reason,
      .candidates = CandidatesIn(frame_, scene)};
  co_await AskSomebody(std::move(scene), std::move(question));
}

// Where everything that must be done is done, nobody is asked whether it is the end.
void PredictedRun::Complete(const Guess& guess, const NextPlan& plan, const Scene& scene) {
  if (plan.executes || frame_.way().freedom() == Freedom::kNamed) {
    const bool is_dry = frame_.order().mode == RunMode::kDryRun;
    frame_.End(RunOutcome::kCompleted,
               is_dry ? "dry_run" : fmt::format("end_predicted_{:.2f}", guess.confidence));
    return;
  }
  frame_.Ask(
      {.text = "Is this the end?", .why = plan.reason, .candidates = CandidatesIn(frame_, scene)});
}

Task<void> PredictedRun::Take(Scene scene, Guess guess, std::string reason) {
  const OpenStep& open = scene.open[*guess.open];
  const Validation found = co_await ValidateNow(&frame_, &scene, *guess.open);
  if (frame_.is_over()) co_return;
  if (!found.is_valid()) {
    if (found.validity == Validity::kUnsafe) ++frame_.numbers().unsafe_filtered;
    frame_.Tell({.step = open.step.id,
                 .intent = open.step.intent,
                 .confidence = guess.confidence,
                 .source = guess.source,
                 .reason = found.reason(),
                 .decision = StepDecision::kAsked});
    frame_.Ask({.text = fmt::format("Shall it {}?", open.step.intent),
                .why = found.reason(),
                .candidates = CandidatesIn(frame_, scene)});
    co_return;
  }
  ChosenStep chosen = ChosenFrom(open, guess, std::move(reason));
  chosen.ref = scene.findings[*guess.open].ref;
  if (co_await carrier_.CarryOut(std::move(chosen))) has_settled_ = false;
}

Task<bool> PredictedRun::Settle(const Scene* scene) {
  auto targets = TargetsOf(*scene);
  const bool is_real = frame_.order().mode == RunMode::kAct && !frame_.rooms().page.Url().empty();
  if (std::exchange(has_settled_, true) || targets.empty() || !is_real) co_return false;
  const auto place = frame_.NextPlace(ChosenBy::kPrediction, {{"waits", true}});
  const auto contract = WaitFor(targets, frame_.order().limits.settle, place);
  const auto result = co_await frame_.rooms().page.Execute(frame_.ctx(), contract);
  // That nothing came is no failure here: it is looked for in other ways then.
  const bool is_over =
      !result.success && result.failure && OutcomeOf(result.failure->code) != RunOutcome::kFailed;
  if (is_over) frame_.EndFor(Error(result.failure->code, result.failure->message));
  co_return true;
}

Task<void> PredictedRun::Miss(Scene scene) {
  if (co_await Settle(&scene)) co_return;
  const bool is_named = frame_.way().freedom() == Freedom::kNamed;
  if (is_named && !scene.open.empty()) {
    co_await FindAgain(std::move(scene));
    co_return;
  }
  RunQuestion question{.text = "What comes next here?",
                       .why = PlanNext(std::nullopt, frame_.order().limits.threshold).reason,
                       .candidates = CandidatesIn(frame_, scene)};
  co_await AskSomebody(std::move(scene), std::move(question));
}

// The last of the open steps is the one that must be done.
Task<void> PredictedRun::FindAgain(Scene scene) {
  const std::size_t at = scene.open.size() - 1;
  const OpenStep open = scene.open[at];
  const Validation found = ValidateIn(frame_, scene, at);
  const bool is_lost =
      found.validity == Validity::kMissing || found.validity == Validity::kAmbiguous;
  RunQuestion question{.text = fmt::format("How is this done here: {}?", open.step.intent),
                       .why = found.reason(),
                       .candidates = CandidatesIn(frame_, scene)};
  if (is_lost) {
    // Nothing else was left to come: what there is to be unsure of is which element it is.
    const Guess guess{.open = at, .confidence = 1, .source = "workflow"};
    const auto unclear = co_await carrier_.HealAndCarryOut(ChosenFrom(open, guess, ""));
    if (!unclear) {
      has_settled_ = false;
      co_return;
    }
    question = {.text = fmt::format("Which element is it: {}?", open.step.intent),
                .why = fmt::format("{}: {}", found.reason(), unclear->reason),
                .candidates = CandidatesOf(*unclear)};
  }
  co_await AskSomebody(std::move(scene), std::move(question));
}

Task<void> PredictedRun::AskSomebody(Scene scene, RunQuestion question) {
  if (!adviser_.MayAsk()) {
    frame_.Ask(std::move(question));
    co_return;
  }
  if (co_await adviser_.AskAndTake(std::move(scene), std::move(question))) has_settled_ = false;
}

}  // namespace falconer::predict
