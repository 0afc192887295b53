#include "engine/plan_run.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "base/check.h"
#include "base/json/canonical_json.h"
#include "base/sha256.h"
#include "model/contract/result.h"

namespace falconer::engine {
namespace {

using News = std::function<void(const PlanNews&)>;

// A contract that two steps share would be carried out once and answered twice. The later one gets
// a key of its own, the same whenever the plan is sent.
class Distinction {
 public:
  explicit Distinction(const PlanId& plan) : plan_(plan) {}

  Result<void> Apply(model::ActionContract& contract, const StepId& step, std::string_view part) {
    TRY_ASSIGN(const auto identity, contract.Identify());
    if (seen_.insert(ScopeOf(contract) + identity.digest).second) return {};
    const std::string name = plan_.value() + "\n" + step.value() + "\n" + std::string(part) + "\n" +
                             contract.idempotency.key;
    contract.idempotency.key = "plan." + Sha256Hex(name).substr(0, 24);
    return {};
  }

 private:
  static std::string ScopeOf(const model::ActionContract& contract) {
    return contract.workflow_id.value() + "\n";
  }

  const PlanId& plan_;
  std::set<std::string> seen_;
};

Result<void> MakeDistinct(model::TaskPlan& plan) {
  Distinction distinction(plan.plan_id);
  for (model::PlanStep& step : plan.steps)
    TRY(distinction.Apply(step.contract, step.step_id, "contract"));
  for (model::PlanStep& step : plan.steps) {
    if (step.compensation) TRY(distinction.Apply(*step.compensation, step.step_id, "compensation"));
  }
  return {};
}

// The criteria as a contract that does nothing and looks at the page of the last step. It names the
// plan by its content: another plan is another question.
Result<model::ActionContract> CriteriaOf(const model::TaskPlan& plan) {
  TRY_ASSIGN(const std::string bytes, CanonicalJson(plan.ToJson()));
  const model::ActionContract& last = plan.steps.back().contract;
  model::ActionContract contract;
  contract.workflow_id = last.workflow_id;
  contract.run_id = last.run_id;
  contract.agent_id = last.agent_id;
  contract.intent = "success criteria";
  contract.expected_postconditions = plan.success_criteria;
  contract.idempotency.scope = last.idempotency.scope;
  contract.metadata = {{"plan_id", std::string_view(plan.plan_id.value())},
                       {"plan_sha256", Sha256Hex(bytes)}};
  // After steps that were only tried dry the page cannot be as it should be at the end.
  contract.dry_run = std::ranges::any_of(
      plan.steps, [](const model::PlanStep& step) { return step.contract.dry_run; });
  return contract;
}

// What could not be recorded still has an answer of the same form, which says so.
json::object NotOpened(const model::ActionContract& contract, const Error& error) {
  model::ActionExecutionResult result;
  if (const auto identity = contract.Identify()) result.action_id = identity->action_id;
  result.failure = model::ActionFailure::Of(error);
  result.metadata["recorded"] = false;
  return result.ToJson();
}

json::object FailureIn(const json::object& result) {
  const json::value* failure = result.if_contains("failure");
  CHECK(failure != nullptr && failure->is_object(), "a result without success says why");
  return failure->get_object();
}

class PlanRun {
 public:
  PlanRun(CallContext ctx, Runtime& runtime, Caller caller, model::TaskPlan plan, News news)
      : ctx_(std::move(ctx)),
        runtime_(runtime),
        caller_(std::move(caller)),
        plan_(std::move(plan)),
        news_(std::move(news)),
        tasks_(runtime.executor()) {}

  Task<json::object> Go(model::ActionContract criteria);

 private:
  struct Ended {
    StepStatus status = StepStatus::kSkipped;
    json::object result;
    Duration took{0};
  };

  Task<void> RunSteps();
  bool BeginReady();
  bool IsBusy(const WorkflowId& workflow) const;
  static Task<void> RunStep(PlanRun* self, const model::PlanStep* step);
  void EndStep(const model::PlanStep& step, Ended ended);
  Task<void> Judge(model::ActionContract criteria);
  Task<void> Compensate();

  Task<Ended> Send(CallContext ctx, model::ActionContract contract);
  StepStatus StatusOf(const json::object& result) const;
  void Tell(PlanNewsKind kind, const StepId& step, const Ended& ended) const;
  static json::object Row(const StepId& step, const Ended& ended);
  json::object Answer() const;

  CallContext ctx_;
  Runtime& runtime_;
  Caller caller_;
  model::TaskPlan plan_;
  News news_;
  // In the order in which they came to be there.
  std::vector<StepId> running_;
  std::vector<StepId> done_;
  std::vector<StepId> failed_;
  std::map<StepId, Ended> ended_;
  Notifier changes_;
  std::optional<json::object> failure_;  // the first one
  std::optional<Ended> criteria_;
  json::array compensated_;
  TaskScope tasks_;
};

Task<json::object> PlanRun::Go(model::ActionContract criteria) {
  co_await RunSteps();
  if (!failure_ && !plan_.success_criteria.empty()) co_await Judge(std::move(criteria));
  if (failure_) co_await Compensate();
  co_return Answer();
}

Task<void> PlanRun::RunSteps() {
  // Steps end by themselves when ctx does: they are always waited for.
  const CallContext patient(ctx_.executor(), ctx_.clock());
  while (true) {
    const std::size_t seen = ended_.size();
    const bool has_begun = BeginReady();
    if (!has_begun && running_.empty()) break;
    const auto changed =
        co_await changes_.Until(patient, [this, seen] { return ended_.size() > seen; }, "a step");
    CHECK(changed, "nothing ends this wait but a step");
  }
  co_await tasks_.Join();
}

// True when something began.
bool PlanRun::BeginReady() {
  if (failure_) return false;
  const auto ready = plan_.ReadySteps({.done = done_, .running = running_, .failed = failed_});
  if (ready.empty()) return false;
  if (const auto wanted = ctx_.StillWanted("the plan"); !wanted) {
    failure_ = FailureIn(NotOpened(model::ActionContract(), wanted.error()));
    return false;
  }
  bool has_begun = false;
  for (const StepId& id : ready) {
    const model::PlanStep* step = plan_.Find(id);
    // A workflow has one place for a turn. Waiting for it here costs a step none of its own time,
    // and a step that waits can still be skipped.
    if (failure_ || IsBusy(step->contract.workflow_id)) continue;
    has_begun = true;
    running_.push_back(id);
    Tell(PlanNewsKind::kStepBegan, id, {});
    tasks_.Spawn("plan.step", RunStep(this, step));
  }
  return has_begun;
}

bool PlanRun::IsBusy(const WorkflowId& workflow) const {
  return std::ranges::any_of(
      running_, [&](const StepId& id) { return plan_.Find(id)->contract.workflow_id == workflow; });
}

Task<void> PlanRun::RunStep(PlanRun* self, const model::PlanStep* step) {
  const CallContext ctx = step->timeout ? self->ctx_.WithTimeout(*step->timeout) : self->ctx_;
  self->EndStep(*step, co_await self->Send(ctx, step->contract));
}

void PlanRun::EndStep(const model::PlanStep& step, Ended ended) {
  const bool is_done = ended.status == StepStatus::kDone;
  std::erase(running_, step.step_id);
  (is_done ? done_ : failed_).push_back(step.step_id);
  if (!is_done && !failure_) {
    failure_ = FailureIn(ended.result);
    (*failure_)["step_id"] = std::string_view(step.step_id.value());
  }
  Tell(PlanNewsKind::kStepEnded, step.step_id, ended);
  ended_[step.step_id] = std::move(ended);
  changes_.NotifyAll();
}

Task<void> PlanRun::Judge(model::ActionContract criteria) {
  criteria_ = co_await Send(ctx_, std::move(criteria));
  if (criteria_->status != StepStatus::kDone) failure_ = FailureIn(criteria_->result);
  Tell(PlanNewsKind::kCriteriaJudged, StepId(), *criteria_);
}

// Whoever cancels wants nothing more to happen: then nothing is undone either.
Task<void> PlanRun::Compensate() {
  if (!ctx_.StillWanted("the compensation")) co_return;
  for (const StepId& id : plan_.CompensationOrder(done_)) {
    Ended ended;
    if (ctx_.StillWanted("the compensation")) {
      ended = co_await Send(ctx_, *plan_.Find(id)->compensation);
      Tell(PlanNewsKind::kCompensated, id, ended);
    }
    compensated_.push_back(Row(id, ended));
  }
}

Task<PlanRun::Ended> PlanRun::Send(CallContext ctx, model::ActionContract contract) {
  const TimePoint start = ctx.clock().Now();
  const auto answer = co_await runtime_.Execute(std::move(ctx), caller_, contract.ToJson());
  auto result = answer ? ParseJsonObject(**answer) : NotOpened(contract, answer.error());
  CHECK(result, "the runtime answers with a result");
  const StepStatus status = StatusOf(*result);
  co_return Ended{
      .status = status, .result = *std::move(result), .took = runtime_.clock().Now() - start};
}

StepStatus PlanRun::StatusOf(const json::object& result) const {
  if (IsTrueAt(result, "success")) return StepStatus::kDone;
  const auto cancelled = ctx_.cancel().Check();
  const bool is_cancelled =
      !cancelled && TextAt(FailureIn(result), "code") == cancelled.error().name();
  return is_cancelled ? StepStatus::kCancelled : StepStatus::kFailed;
}

void PlanRun::Tell(PlanNewsKind kind, const StepId& step, const Ended& ended) const {
  if (!news_) return;
  news_({.kind = kind,
         .step_id = step,
         .status = ended.status,
         .result = ended.result,
         .took = ended.took});
}

json::object PlanRun::Row(const StepId& step, const Ended& ended) {
  json::object row{{"step_id", std::string_view(step.value())},
                   {"status", NameIn(kStepStatuses, ended.status)}};
  if (!ended.result.empty()) row["result"] = ended.result;
  return row;
}

json::object PlanRun::Answer() const {
  json::object answer{{"plan_id", std::string_view(plan_.plan_id.value())},
                      {"success", !failure_.has_value()}};
  json::array& rows = answer["steps"].emplace_array();
  for (const model::PlanStep& step : plan_.steps) {
    const auto found = ended_.find(step.step_id);
    rows.push_back(Row(step.step_id, found == ended_.end() ? Ended() : found->second));
  }
  if (criteria_) {
    answer["criteria"] = {{"passed", criteria_->status == StepStatus::kDone},
                          {"result", criteria_->result}};
  }
  answer["compensated"] = compensated_;
  if (failure_) answer["failure"] = *failure_;
  return answer;
}

}  // namespace

Task<Result<json::object>> RunPlan(CallContext ctx, Runtime* runtime, Caller caller,
                                   model::TaskPlan plan,
                                   std::function<void(const PlanNews&)> news) {
  CO_TRY(plan.Validate());
  CO_TRY_ASSIGN(auto criteria, CriteriaOf(plan));
  CO_TRY(MakeDistinct(plan));
  PlanRun run(std::move(ctx), *runtime, std::move(caller), std::move(plan), std::move(news));
  co_return co_await run.Go(std::move(criteria));
}

}  // namespace falconer::engine
