#include "app/act/act_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/json/canonical_json.h"

namespace falconer::app {
namespace {

constexpr std::string_view kCriteriaName = "criteria";

// The trace that whoever started us is in, as the environment tells it.
TraceId TraceFromEnvironment() {
  constexpr std::string_view kName = "TRACEPARENT=";
  for (const std::string& variable : ProcessEnvironment()) {
    if (variable.starts_with(kName)) return TraceId(variable.substr(kName.size()));
  }
  return TraceId();
}

// What the runtime answers is a result; whoever cannot read it has another version of it.
Result<model::ActionExecutionResult> ReadResult(std::string_view bytes) {
  TRY_ASSIGN(const json::value value, ParseJson(bytes));
  return model::ActionExecutionResult::FromJson(value);
}

}  // namespace

Task<Result<void>> ActRun::Go(AfterFailure after) {
  const CallContext ctx = program_.NewCall().WithIds({.trace = TraceFromEnvironment()});
  const bool is_plan = input_.shape == ActShape::kPlan;
  auto done = is_plan ? co_await RunAsPlan(ctx) : co_await RunContracts(ctx, after);
  co_await host_.Stop(program_.NewCleanup());
  co_return done;
}

Task<Result<void>> ActRun::RunContracts(CallContext ctx, AfterFailure after) {
  for (const ActItem& item : input_.items) {
    const auto wanted = ctx.StillWanted("the next contract");
    // An interruption that a contract already told of needs no second word.
    if (end_ != ActEnd::kOk && (after == AfterFailure::kStop || !wanted)) break;
    CO_TRY(wanted);
    CO_TRY(co_await RunContract(ctx, &item));
  }
  report_.Say(fmt::format("{} of {} contracts succeeded", done_, input_.items.size()));
  co_return Result<void>();
}

Task<Result<void>> ActRun::RunContract(CallContext ctx, const ActItem* item) {
  report_.Began(item->name, item->what);
  const TimePoint start = ctx.clock().Now();
  CO_TRY_ASSIGN(const auto bytes,
                co_await host_.runtime().Execute(ctx, host_.local_caller(), item->contract));
  CO_TRY_ASSIGN(const auto result, ReadResult(*bytes));
  const ActEnd end = EndOf(result, item->escalation);
  Note(end);
  if (end == ActEnd::kOk) ++done_;
  report_.Ended(item->name, result, end, ctx.clock().Now() - start);
  report_.Answer(*bytes);
  co_return Result<void>();
}

Task<Result<void>> ActRun::RunAsPlan(CallContext ctx) {
  CO_TRY_ASSIGN(const auto answer,
                co_await engine::RunPlan(ctx, &host_.runtime(), host_.local_caller(), *input_.plan,
                                         [this](const engine::PlanNews& news) { OnNews(news); }));
  SayPlan(answer);
  CO_TRY_ASSIGN(const std::string bytes, CanonicalJson(answer));
  report_.Answer(bytes);
  // What was interrupted between two steps has no step that says so.
  if (!IsTrueAt(answer, "success")) Note(ActEnd::kFailed);
  co_return Result<void>();
}

void ActRun::OnNews(const engine::PlanNews& news) {
  using Kind = engine::PlanNewsKind;
  const std::string& step = news.step_id.value();
  if (news.kind == Kind::kStepBegan) return report_.Began(step, StepItem(news.step_id).what);
  const auto result = model::ActionExecutionResult::FromJson(news.result);
  if (!result) return report_.Broke(result.error());
  const ActEnd end =
      EndOf(*result, news.kind == Kind::kStepEnded ? StepItem(news.step_id).escalation
                                                   : Escalation::kByDefault);
  Note(end);
  const bool is_criteria = news.kind == Kind::kCriteriaJudged;
  const std::string_view before = news.kind == Kind::kCompensated ? "undo " : "";
  report_.Ended(is_criteria ? kCriteriaName : fmt::format("{}{}", before, step), *result, end,
                news.took);
}

void ActRun::SayPlan(const json::object& answer) {
  const std::string name = input_.plan->plan_id.value();
  const auto is_done = [](const json::value& row) { return row.at("status") == "done"; };
  const auto done = std::ranges::count_if(answer.at("steps").as_array(), is_done);
  const std::size_t steps = input_.items.size();
  if (IsTrueAt(answer, "success")) {
    return report_.Say(fmt::format("plan {}: succeeded, {} of {} steps done", name, done, steps));
  }
  const json::object& failure = answer.at("failure").as_object();
  report_.Say(fmt::format("plan {}: failed with {}, {} of {} steps done, {} undone", name,
                          TextAt(failure, "code"), done, steps,
                          std::ranges::count_if(answer.at("compensated").as_array(), is_done)));
}

const ActItem& ActRun::StepItem(const StepId& step) const {
  return *std::ranges::find(input_.items, step.value(), &ActItem::name);
}

void ActRun::Note(ActEnd end) {
  end_ = std::max(end_, end);
}

}  // namespace falconer::app
