#pragma once
// RunLoop: one run of the built-in agent: the model is asked, what it wants is called, what came of
// it is remembered, until it answers or a limit is reached. It uses tools as any other agent does,
// and nothing but tools. On one event loop.
//
// Its time stands still while people decide about something it asked for, while a person drives its
// session, and while it is paused. Everything else counts, and what is under way when the time is
// up is cut off.

#include <memory>
#include <optional>
#include <vector>

#include "agent/loop/domain_guard.h"
#include "agent/loop/no_op_detector.h"
#include "agent/loop/run_budget.h"
#include "agent/loop/run_control.h"
#include "agent/loop/run_event.h"
#include "agent/loop/run_memory.h"
#include "agent/loop/run_past.h"
#include "agent/loop/run_result.h"
#include "agent/loop/run_world.h"
#include "base/async/task_scope.h"

namespace falconer::agent {

struct RunLoopLimits {
  RunMemoryLimits memory = {};
  // How long a person may keep the session.
  Duration handover = std::chrono::hours(1);
};

class RunLoop {
 public:
  // `past` is what the records say of a run that is taken up again. `kit` and `control` must
  // outlive the loop.
  RunLoop(Executor executor, RunKit& kit, RunOrder order, RunControl& control, RunSink sink,
          std::optional<RunPast> past = std::nullopt, RunLoopLimits limits = {});
  RunLoop(const RunLoop&) = delete;
  RunLoop& operator=(const RunLoop&) = delete;

  // The whole run. Whatever goes wrong is a result. Called once.
  Task<RunResult> Go(CallContext ctx);

  RunState state() const { return state_; }

 private:
  void Begin(const CallContext& ctx);
  void TakeUp(const RunPast& past);
  Task<void> Turn();
  // Whether the run goes on: waits while it is paused or a person drives, and ends it when it is
  // off or its time is up.
  Task<bool> Ready();
  Task<void> AwaitHandBack(std::string person);
  Task<void> LookAfresh();
  Task<std::optional<ProviderAnswer>> Plan();
  // The model has nothing more to call.
  Task<void> Conclude(RunStep step, Respond said, AnswerEnd end);
  Task<void> CarryOut(RunStep step, std::vector<ToolCall> calls);
  void Judge(RunCall& call) const;
  Task<void> CallAll(RunStep* step);
  Task<void> CallTogether(RunStep* step, std::size_t from, std::size_t to);
  Task<void> CallOne(RunCall* call);
  Task<void> Observe(RunStep step);

  // Durable when it returns; ends the run when that fails.
  Task<bool> Write(json::object record);
  // Nobody waits for it before the end of the run.
  void WriteAside(json::object record);
  Task<void> Append(json::object record);
  json::object Record(std::string_view event) const;
  json::object OpenedRecord() const;
  json::object StepRecord(std::string_view event, const RunStep& step) const;

  void End(StopReason why, std::optional<Error> error = std::nullopt);
  // By what the context, or a provider, failed with.
  void EndFor(const Error& error);
  Task<RunResult> Close();
  RunResult ResultNow() const;
  RunSummary Summary() const;
  void OnAsking(bool is_asking);
  void OnDelta(const ChatDelta& delta) const;
  void Enter(RunState state);
  void Emit(std::string name, json::object facts = {}) const;
  // Notices who came and went since the epoch was that.
  void NoteDrivers(std::int64_t epoch);
  const ToolDescriptor* Find(std::string_view tool) const;
  RunStep StepOf(const ProviderAnswer& answer, Duration thought) const;
  CallContext ToolContextOf() const;
  Duration Used() const;

  RunKit& kit_;
  const RunOrder order_;
  RunControl& control_;
  RunSink sink_;
  const std::optional<RunPast> past_;
  RunLoopLimits limits_;
  std::vector<const ToolDescriptor*> tools_;
  RunMemory memory_;
  RunBudget budget_;
  NoOpDetector no_ops_;
  std::optional<DomainGuard> domains_;
  LinkedCancelSource cancel_;
  std::shared_ptr<StoppedTime> stops_;
  std::optional<CallContext> ctx_;
  TimePoint begun_;
  RunState state_ = RunState::kInit;
  std::optional<StopReason> stop_;
  std::optional<Error> error_;
  std::string response_;
  std::vector<ChatImage> images_;
  bool was_driven_ = false;  // by a person, since the page was last looked at
  std::unique_ptr<StandingStill> asking_;
  TaskScope records_;
};

}  // namespace falconer::agent
