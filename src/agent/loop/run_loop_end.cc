// What a run puts on record, tells, and ends with.

#include <algorithm>
#include <utility>

#include "agent/loop/run_loop.h"
#include "base/check.h"
#include "base/log.h"

namespace falconer::agent {
namespace {

constexpr auto kRunCleanup = std::chrono::seconds(10);

struct EndWords {
  StopReason reason;
  ErrorCode code;
  std::string_view message;
};

// The error of an end that has none of its own.
constexpr EndWords kEndWords[] = {
    {StopReason::kMaxSteps, ErrorCode::kBudgetExceeded, "the run has no steps left"},
    {StopReason::kMaxFailures, ErrorCode::kExecutionError, "too many steps failed in a row"},
    {StopReason::kNoOpLoop, ErrorCode::kExecutionError, "the run went round in circles"},
    {StopReason::kTokenBudget, ErrorCode::kBudgetExceeded, "the run has no tokens left"},
    {StopReason::kCostBudget, ErrorCode::kBudgetExceeded, "the run has no money left"},
};

std::optional<Error> LastDenial(const std::vector<RunStep>& steps) {
  std::optional<Error> last;
  for (const RunStep& step : steps) {
    for (const RunCall& call : step.calls)
      if (call.is_denied()) last = Error(ErrorCode::kPolicyDenied, call.error);
  }
  return last;
}

json::array DenialsIn(const std::vector<RunStep>& steps) {
  json::array out;
  for (const RunStep& step : steps) {
    for (const RunCall& call : step.calls) {
      if (!call.is_denied()) continue;
      out.push_back(json::object{{"step", step.step},
                                 {"tool", call.tool},
                                 {"code", call.error_code},
                                 {"reason", call.error}});
    }
  }
  return out;
}

}  // namespace

Duration RunLoop::Used() const {
  const Duration before = past_ ? past_->used : Duration::zero();
  return before + (ctx_->clock().Now() - begun_) - stops_->total();
}

const ToolDescriptor* RunLoop::Find(std::string_view tool) const {
  const auto found =
      std::ranges::find_if(tools_, [&](const ToolDescriptor* one) { return one->name == tool; });
  return found == tools_.end() ? nullptr : *found;
}

void RunLoop::NoteDrivers(std::int64_t epoch) {
  const std::int64_t now = kit_.world->Epoch();
  // One that was opened or closed was in nobody's hands.
  if (epoch != 0 && now != 0 && now != epoch) was_driven_ = true;
}

CallContext RunLoop::ToolContextOf() const {
  Correlation ids = ctx_->ids();
  ids.call = order_.id.value();
  return ctx_->WithIds(std::move(ids));
}

RunStep RunLoop::StepOf(const ProviderAnswer& answer, Duration thought) const {
  RunStep step{.step = budget_.steps() + 1,
               .provider = answer.provider,
               .model = answer.model,
               .usage = answer.usage,
               .cost_micros = answer.cost_micros,
               .thought = thought,
               .at = Used()};
  if (const auto* calls = std::get_if<ToolCalls>(&answer.action)) step.rationale = calls->text;
  for (const ProviderAttempt& attempt : answer.attempts) step.attempts.push_back(ToJson(attempt));
  return step;
}

json::object RunLoop::Record(std::string_view event) const {
  return {{"run", order_.id.value()},
          {"event", event},
          {"agent", order_.caller.agent},
          {"workflow", order_.config.session}};
}

json::object RunLoop::OpenedRecord() const {
  json::object record = Record(kRunOpened);
  record["task"] = order_.task;
  record["config"] = order_.config.ToJson();
  record["resumed"] = past_.has_value();
  return record;
}

json::object RunLoop::StepRecord(std::string_view event, const RunStep& step) const {
  json::object record = Record(event);
  record["step"] = step.ToJson();
  return record;
}

Task<bool> RunLoop::Write(json::object record) {
  const auto written = co_await kit_.log->Append(std::move(record));
  if (!written) End(StopReason::kInternalError, written.error());
  co_return written.has_value();
}

Task<void> RunLoop::Append(json::object record) {
  co_await Write(std::move(record));
}

void RunLoop::WriteAside(json::object record) {
  records_.Spawn("agent.record", Append(std::move(record)));
}

void RunLoop::Enter(RunState state) {
  CHECK(MayFollow(state_, state), "a run goes from state to state as the table says");
  state_ = state;
  Emit("state", {{"state", NameIn(kRunStates, state)}, {"step", budget_.steps()}});
}

void RunLoop::Emit(std::string name, json::object facts) const {
  if (sink_) sink_({std::move(name), std::move(facts)});
}

void RunLoop::OnDelta(const ChatDelta& delta) const {
  if (const auto* text = std::get_if<TextDelta>(&delta)) Emit("text", {{"text", text->text}});
  if (const auto* again = std::get_if<RestartDelta>(&delta))
    Emit("restart", {{"provider", again->provider}});
}

void RunLoop::OnAsking(bool is_asking) {
  if (is_asking == (asking_ != nullptr)) return;
  asking_ = is_asking ? std::make_unique<StandingStill>(stops_) : nullptr;
  Emit(is_asking ? "waiting_for_approval" : "approval_over");
}

// The first end counts, but that something was not recorded counts more.
void RunLoop::End(StopReason why, std::optional<Error> error) {
  if (stop_ && why != StopReason::kInternalError) return;
  stop_ = why;
  error_ = std::move(error);
  if (error_ || why == StopReason::kCompleted) return;
  const auto* words = std::ranges::find(kEndWords, why, &EndWords::reason);
  if (words != std::end(kEndWords)) error_ = Error(words->code, std::string(words->message));
  if (why == StopReason::kPolicyDenied) error_ = LastDenial(memory_.steps());
}

void RunLoop::EndFor(const Error& error) {
  if (const auto off = cancel_.token().Check(); !off) {
    End(StopReason::kCancelled, off.error());
  } else if (!ctx_->StillWanted("the run")) {
    End(StopReason::kMaxWallTime, Error(ErrorCode::kDeadlineExceeded, "the run took too long"));
  } else {
    End(StopReason::kProviderError, error);
  }
}

Task<RunResult> RunLoop::Close() {
  co_await records_.Join();
  if (IsBroken(*stop_) && state_ != RunState::kRespond) Enter(RunState::kError);
  RunResult result = ResultNow();
  json::object record = Record(kRunClosed);
  record["result"] = result.ToShortJson();
  if (const auto closed = co_await kit_.log->Append(std::move(record)); !closed) {
    LOG(warn, "agent.run_not_closed", {"run", order_.id.value()},
        {"why", Describe(closed.error())});
    End(StopReason::kInternalError, closed.error());
    result = ResultNow();
  }
  co_await kit_.world->Close(CallContext(ctx_->executor(), ctx_->clock()).WithTimeout(kRunCleanup));
  Enter(RunState::kStop);
  LOG(info, "agent.run_over", {"run", order_.id.value()},
      {"stop_reason", NameIn(kStopReasons, result.stop_reason)}, {"steps", result.steps});
  Emit("stopped", result.ToShortJson());
  co_return result;
}

RunSummary RunLoop::Summary() const {
  RunSummary summary{.task = order_.task,
                     .config_snapshot = order_.config.ToJson(),
                     .policy_denials = DenialsIn(memory_.steps()),
                     .stood_still = stops_->total(),
                     .times_resumed = past_ ? past_->times_resumed + 1 : 0};
  for (const ToolDescriptor* tool : tools_) summary.tools.push_back(tool->name);
  for (const RunStep& step : memory_.steps()) {
    // What was told without a model having been asked cost nothing.
    if (step.provider.empty()) continue;
    summary.total.Add(step);
    summary.by_provider[step.provider].Add(step);
  }
  return summary;
}

RunResult RunLoop::ResultNow() const {
  RunResult result{.run_id = order_.id,
                   .success = *stop_ == StopReason::kCompleted,
                   .stop_reason = *stop_,
                   .response = response_,
                   .trace = memory_.steps(),
                   .steps = budget_.steps(),
                   .wall_time = Used(),
                   .error = error_,
                   .summary = Summary()};
  for (const RunStep& step : result.trace) {
    for (const RunCall& call : step.calls)
      std::ranges::copy(call.artifacts, std::back_inserter(result.artifacts));
  }
  return result;
}

}  // namespace falconer::agent
