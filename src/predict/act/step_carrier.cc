#include "predict/act/step_carrier.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "predict/act/effect_seen.h"
#include "predict/act/prepare_next.h"
#include "predict/act/scene.h"

namespace falconer::predict {
namespace {

StepReport ReportOf(const ChosenStep& chosen) {
  return {.step = chosen.open.step.id,
          .intent = chosen.open.step.intent,
          .confidence = chosen.confidence,
          .source = chosen.source,
          .reason = chosen.reason,
          .by = chosen.by,
          .healed = chosen.healed};
}

json::object ToldOf(const RunFrame& frame, const ChosenStep& chosen) {
  return {{"workflow", frame.order().workflow},
          {"step", chosen.open.step.id},
          {"confidence", chosen.confidence},
          {"source", chosen.source},
          {"healed", chosen.healed.has_value()}};
}

std::optional<Error> FailureOf(const model::ActionExecutionResult& result) {
  if (result.success || !result.failure) return std::nullopt;
  return Error(result.failure->code, result.failure->message, result.failure->details);
}

std::int64_t WallMsNow(const Clock& clock) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(clock.WallNow().time_since_epoch())
      .count();
}

}  // namespace

Task<model::ActionExecutionResult> StepCarrier::Execute(const ChosenStep* chosen) {
  const StepPlace place = frame_.NextPlace(chosen->by, ToldOf(frame_, *chosen));
  const WorkflowStep& step = chosen->open.step;
  const bool is_framed = step.element && !step.element->frame.empty() && !chosen->ref.empty();
  auto contract = ContractOf(is_framed ? AtRef(step, chosen->ref) : step, place);
  if (!contract) {
    model::ActionExecutionResult result;
    result.failure = model::ActionFailure::Of(contract.error());
    co_return result;
  }
  PrepareNext(frame_, chosen->open, chosen->confidence);
  ++frame_.numbers().executions;
  co_return co_await frame_.rooms().page.Execute(frame_.ctx(), *std::move(contract));
}

Task<bool> StepCarrier::CarryOut(ChosenStep chosen) {
  if (frame_.order().mode == RunMode::kDryRun) {
    Imagine(chosen);
    co_return true;
  }
  if (!frame_.MayDoAgain(chosen.open.symbol)) {
    frame_.End(RunOutcome::kLooping, "loop_detected");
    co_return false;
  }
  const TimePoint began = frame_.Now();
  const model::ActionExecutionResult result = co_await Execute(&chosen);
  StepReport report = ReportOf(chosen);
  report.action = result.action_id;
  report.turn = result.turn_id;
  report.took = frame_.Now() - began;
  report.error = FailureOf(result);
  const bool is_lost = result.failure && IsWithoutElement(result.failure->code);
  if (is_lost && !chosen.healed) {
    frame_.probes().Forget();
    co_return co_await TryHealing(std::move(chosen), std::move(report));
  }
  co_return Finish(std::move(chosen), result, std::move(report));
}

Task<bool> StepCarrier::TryHealing(ChosenStep chosen, StepReport report) {
  const Error lost = *report.error;
  const auto unclear = co_await HealAndCarryOut(std::move(chosen));
  if (!unclear) co_return !frame_.is_over();
  frame_.Tell(std::move(report));
  frame_.Ask({.text = "The element of this step was not found. Which one is it?",
              .why = unclear->reason,
              .candidates = CandidatesOf(*unclear)});
  co_return false;
}

bool StepCarrier::Finish(ChosenStep chosen, const model::ActionExecutionResult& result,
                         StepReport report) {
  // Another element that does nothing is not the one that was meant.
  had_effect_ = result.success && HadEffect(result);
  if (result.success && chosen.healed && !had_effect_)
    report.error = Error(ErrorCode::kWrongElement, "the element found again had no effect");
  if (report.error) {
    const Error error = *report.error;
    frame_.Tell(std::move(report));
    frame_.EndFor(error);
    return false;
  }
  ++frame_.numbers().executions_done;
  if (chosen.healed) LearnHealing(chosen, result.turn_id, report);
  if (chosen.open.index || chosen.by == ChosenBy::kPrediction)
    TellSkipped(frame_.way().Done(chosen.open));
  frame_.NoteDone(chosen.open, result);
  frame_.Tell(std::move(report));
  return true;
}

void StepCarrier::Imagine(const ChosenStep& chosen) {
  TellSkipped(frame_.way().Done(chosen.open));
  frame_.Imagine(chosen.open);
  StepReport report = ReportOf(chosen);
  report.decision = StepDecision::kWouldExecute;
  frame_.Tell(std::move(report));
  // Without a page nobody knows what would come after it.
  if (frame_.way().freedom() == Freedom::kFree) frame_.End(RunOutcome::kCompleted, "dry_run");
}

void StepCarrier::TellSkipped(const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    frame_.Tell({.step = id,
                 .source = "workflow",
                 .reason = "optional_not_there",
                 .decision = StepDecision::kSkipped});
  }
}

void StepCarrier::RefuseGrave(const WorkflowStep& step, Healing& healing) {
  if (!healing.step) return;
  const Validation safe =
      ValidateOn(frame_, step, healing.ranking.best.front().element.fingerprint);
  if (safe.validity != Validity::kUnsafe) return;
  ++frame_.numbers().unsafe_filtered;
  healing.step = std::nullopt;
  healing.ranking.reason = safe.reason();
}

Task<std::optional<Ranking>> StepCarrier::HealAndCarryOut(ChosenStep chosen) {
  const auto seen = co_await frame_.rooms().page.Elements(frame_.ctx());
  if (!seen) {
    frame_.EndFor(seen.error());
    co_return std::nullopt;
  }
  const WorkflowStep* document = frame_.way().Document(chosen.open);
  Healing healing = Heal(chosen.open.step, document, frame_.order().values, *seen);
  RefuseGrave(chosen.open.step, healing);
  if (!healing.step) {
    ++frame_.numbers().heals_refused;
    co_return std::move(healing.ranking);
  }
  const std::vector<std::string> before = SelectorsOf(chosen.open.step);
  chosen.selectors = SelectorsOf(*healing.step);
  chosen.healed = HealedSelector{.selector = chosen.selectors.front(),
                                 .instead_of = before.empty() ? "" : before.front(),
                                 .score = healing.ranking.best.front().score,
                                 .margin = healing.ranking.margin,
                                 .ranker = std::string(kRankerVersion)};
  chosen.reason = fmt::format("healed_{:.2f}", healing.ranking.best.front().score);
  // No surer than that it is this element.
  chosen.confidence = std::min(chosen.confidence, healing.ranking.best.front().score);
  chosen.open.step = *std::move(healing.step);
  chosen.ref = healing.ranking.best.front().element.ref;
  co_await CarryOut(std::move(chosen));
  co_return std::nullopt;
}

void StepCarrier::LearnHealing(const ChosenStep& chosen, const TurnId& turn, StepReport& report) {
  ++frame_.numbers().healed;
  report.healed->turn = turn.value();
  report.healed->at_ms = WallMsNow(frame_.ctx().clock());
  const WorkflowStep* document = frame_.way().Document(chosen.open);
  if (document == nullptr) return;
  auto kept = KeptSelectors(chosen.selectors, *document, frame_.order().values);
  if (kept.empty()) return;
  HealedSelector how = *report.healed;
  const auto before = SelectorsOf(*document);
  how.selector = kept.front();
  how.instead_of = before.empty() ? "" : before.front();
  frame_.rooms().memory.OnHealed({.workflow = frame_.order().workflow,
                                  .step = document->id,
                                  .how = std::move(how),
                                  .selectors = std::move(kept)});
}

}  // namespace falconer::predict
