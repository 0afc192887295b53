#include "agent/loop/run_desk.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "agent/loop/run_loop.h"
#include "base/log.h"
#include "base/random.h"

namespace falconer::agent {
namespace {

Error AgentOff() {
  return {ErrorCode::kToolUnavailable,
          "the built-in agent is off: agent.internal.enabled=false",
          {{"setting", "agent.internal.enabled"}}};
}

std::int64_t MsOf(WallTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

constexpr std::string_view kHandedOver = "handed_over";

std::string_view StatusAfter(bool success) {
  return success ? "complete" : "failed";
}

json::object TellPast(const RunId& run, const RunPast& past) {
  json::object out{{"run_id", run.value()},
                   {"task", past.task},
                   {"status", "broken_off"},
                   {"state", NameIn(kRunStates, RunState::kStop)},
                   {"steps", past.steps.size()}};
  if (!past.closed) return out;
  out["status"] = StatusAfter(*past.closed == StopReason::kCompleted);
  out["result"] = past.result;
  return out;
}

}  // namespace

struct RunDesk::Run {
  RunOrder order;
  // Until the run is over: it holds all tools. Who waits for something of it keeps it meanwhile.
  std::shared_ptr<RunKit> kit;
  std::optional<RunPast> past;
  WallTime began{};
  RunControl control = {};
  RunJournal journal = RunJournal();
  RunState state = RunState::kInit;
  std::int64_t steps = 0;
  std::optional<json::object> result = std::nullopt;
  bool success = false;

  void Hear(RunEvent event) {
    if (event.name == "state") {
      state = ValueIn(kRunStates, TextAt(event.facts, "state")).value_or(state);
      steps = event.facts.at("step").to_number<std::int64_t>();
    }
    journal.Note(std::move(event));
  }
  std::string_view Status() const {
    if (result) return StatusAfter(success);
    if (kit->world->Driver()) return kHandedOver;
    return control.is_paused() ? "paused" : "running";
  }
};

RunDesk::RunDesk(Executor executor, Clock& clock, RunMaker* maker, RunConfig most,
                 RunDeskLimits limits)
    : executor_(executor),
      clock_(clock),
      maker_(maker),
      most_(std::move(most)),
      limits_(limits),
      tasks_(std::move(executor)) {
}

Result<void> RunDesk::CheckOn() const {
  if (maker_ == nullptr) return Fail(AgentOff());
  if (is_stopping_) return Fail(ErrorCode::kToolUnavailable, "the server ends");
  return {};
}

Result<RunDesk::RunPtr> RunDesk::Find(std::string_view run) const {
  TRY(CheckOn());
  const auto found = runs_.find(run);
  if (found == runs_.end())
    return Fail(ErrorCode::kNotFound, "no run " + std::string(run) + " runs");
  return found->second;
}

std::size_t RunDesk::running() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(runs_, [](const auto& row) { return !row.second->result; }));
}

// The oldest of those that are over; the ledger keeps all of them.
void RunDesk::ForgetOld() {
  while (runs_.size() - running() > limits_.kept) {
    const auto oldest = std::ranges::min_element(runs_, {}, [](const auto& row) {
      return row.second->result ? row.second->began : WallTime::max();
    });
    runs_.erase(oldest);
  }
}

Result<RunDesk::RunPtr> RunDesk::Enter(RunOrder order, std::optional<RunPast> past) {
  if (running() >= limits_.at_once)
    return Fail(ErrorCode::kQueueFull, fmt::format("{} runs are under way", limits_.at_once));
  auto run = std::make_shared<Run>();
  TRY_ASSIGN(std::unique_ptr<RunKit> kit, maker_->Make(order));
  run->kit = std::move(kit);
  run->order = std::move(order);
  run->past = std::move(past);
  run->began = clock_.WallNow();
  runs_[run->order.id.value()] = run;
  tasks_.Spawn("agent.run", Drive(this, run));
  return run;
}

RunId RunDesk::NewId() {
  return RunId("run-" + RandomHex(8));
}

Result<void> RunDesk::CheckWish(const json::value& wish) const {
  TRY(CheckOn());
  TRY(ParseRunWish(wish, most_));
  return {};
}

Result<RunId> RunDesk::Begin(engine::Caller caller, const json::value& wish, RunId id) {
  TRY(CheckOn());
  TRY_ASSIGN(RunWish read, ParseRunWish(wish, most_));
  if (runs_.contains(id.value()))
    return Fail(ErrorCode::kAlreadyExists, "run " + id.value() + " was begun already");
  RunOrder order{.id = std::move(id),
                 .caller = std::move(caller),
                 .task = std::move(read.task),
                 .config = std::move(read.config)};
  if (order.config.session.empty()) order.config.session = order.id.value();
  TRY_ASSIGN(const RunPtr run, Enter(std::move(order), std::nullopt));
  return run->order.id;
}

Task<Result<RunId>> RunDesk::BeginAgain(CallContext ctx, engine::Caller caller, RunId run) {
  CO_TRY_ASSIGN(const auto records, co_await Records(std::move(ctx), caller, run));
  CO_TRY_ASSIGN(RunPast past, ReadRunPast(records));
  const auto known = runs_.find(run.value());
  if (known != runs_.end() && !known->second->result)
    co_return Fail(ErrorCode::kAlreadyExists, "run " + run.value() + " is under way");
  if (past.closed && !MayBeResumed(*past.closed)) {
    co_return Fail(ErrorCode::kAlreadyExists, fmt::format("run {} is over: {}", run.value(),
                                                          NameIn(kStopReasons, *past.closed)));
  }
  RunOrder order{.id = run,
                 .caller = std::move(caller),
                 .task = past.task,
                 .config = Narrowed(past.config, most_),
                 .times_resumed = past.times_resumed + 1};
  CO_TRY_ASSIGN(const RunPtr entered, Enter(std::move(order), std::move(past)));
  co_return entered->order.id;
}

Task<void> RunDesk::Drive(RunDesk* self, RunPtr run) {
  const CallContext ctx(self->executor_, self->clock_);
  // By a plain pointer: the journal is the run's own.
  const auto hear = [it = run.get()](RunEvent event) { it->Hear(std::move(event)); };
  const std::shared_ptr<RunKit> kit = run->kit;
  RunLoop loop(self->executor_, *kit, run->order, run->control, hear, std::move(run->past));
  const RunResult result = co_await loop.Go(ctx);
  run->success = result.success;
  run->result = result.ToJson();
  run->kit.reset();
  run->journal.Close();
  self->ended_.NotifyAll();
  self->ForgetOld();
}

Task<Result<json::object>> RunDesk::Await(CallContext ctx, std::string run) {
  CO_TRY_ASSIGN(RunPtr found, Find(run));
  co_return co_await ResultOf(std::move(ctx), std::move(found));
}

Task<Result<json::object>> RunDesk::ResultOf(CallContext ctx, RunPtr run) {
  CO_TRY(co_await ended_.Until(
      std::move(ctx), [run] { return run->result.has_value(); }, "the end of the run"));
  co_return *run->result;
}

Task<Result<json::object>> RunDesk::Follow(CallContext ctx, RunId id, News news) {
  CO_TRY_ASSIGN(const RunPtr run, Find(id.value()));
  std::uint64_t seen = 0;
  for (bool is_over = false; !is_over;) {
    const auto heard = co_await run->journal.After(ctx, seen);
    if (!heard) {
      run->control.Cancel(heard.error());
      break;
    }
    is_over = heard->empty();
    for (const RunJournal::Entry& entry : *heard) {
      seen = entry.id;
      json::object told = entry.event.facts;
      told["event"] = entry.event.name;
      // News are kept, unlike what is told to who watches: no pieces of text, and nothing that was
      // typed, which the ledger has masked.
      told.erase("arguments");
      if (news && entry.event.name != "text") news(std::move(told));
    }
  }
  // A run that was told to end does so in its own time, also while the server ends.
  co_return co_await ResultOf(CallContext(executor_, clock_), run);
}

Task<Result<json::object>> RunDesk::CarryOn(CallContext ctx, engine::Caller caller, RunId run,
                                            json::value wish, News news) {
  const auto records = co_await Records(ctx, caller, run);
  if (!records && records.error().code() == ErrorCode::kNotFound) {
    CO_TRY(Begin(std::move(caller), wish, run));
  } else {
    CO_TRY_ASSIGN(const auto kept, records);
    CO_TRY_ASSIGN(const RunPast past, ReadRunPast(kept));
    if (past.closed && !MayBeResumed(*past.closed)) co_return past.result;
    CO_TRY(co_await BeginAgain(ctx, std::move(caller), run));
  }
  CO_TRY_ASSIGN(json::object result, co_await Follow(ctx, run, std::move(news)));
  if (TextAt(result, "stop_reason") == NameIn(kStopReasons, StopReason::kCancelled))
    CO_TRY(ctx.StillWanted("the run"));
  co_return result;
}

json::object RunDesk::Tell(const Run& run) const {
  json::object out{{"run_id", run.order.id.value()},
                   {"status", run.Status()},
                   {"state", NameIn(kRunStates, run.state)},
                   {"task", run.order.task},
                   {"session", run.order.config.session},
                   {"steps", run.steps},
                   {"began_at", MsOf(run.began)}};
  if (run.result) out["result"] = *run.result;
  return out;
}

Task<Result<json::object>> RunDesk::Status(CallContext ctx, engine::Caller caller, RunId run) {
  CO_TRY(CheckOn());
  if (const auto found = runs_.find(run.value()); found != runs_.end())
    co_return Tell(*found->second);
  CO_TRY_ASSIGN(const auto records, co_await Records(std::move(ctx), std::move(caller), run));
  CO_TRY_ASSIGN(const RunPast past, ReadRunPast(records));
  co_return TellPast(run, past);
}

std::vector<json::object> RunDesk::List() const {
  std::vector<json::object> out;
  for (const auto& row : runs_) {
    out.push_back(Tell(*row.second));
    out.back().erase("result");
  }
  return out;
}

bool RunDesk::IsUnderWay(std::string_view run) const {
  const auto found = runs_.find(run);
  return found != runs_.end() && !found->second->result;
}

bool RunDesk::IsDriven(std::string_view run) const {
  const auto found = runs_.find(run);
  return found != runs_.end() && found->second->Status() == kHandedOver;
}

Result<void> RunDesk::CheckKnown(std::string_view run) const {
  TRY(Find(run));
  return {};
}

Result<void> RunDesk::Pause(std::string_view run) {
  TRY_ASSIGN(const RunPtr found, Find(run));
  if (found->result) return Fail(ErrorCode::kNotFound, "run " + std::string(run) + " is over");
  found->control.Pause();
  return {};
}

Task<Result<void>> RunDesk::Resume(CallContext ctx, std::string run, engine::DriverChange by) {
  CO_TRY_ASSIGN(const RunPtr found, Find(run));
  const std::shared_ptr<RunKit> kit = found->kit;
  if (!kit) co_return Fail(ErrorCode::kNotFound, "run " + run + " is over");
  if (kit->world->Driver()) CO_TRY(co_await kit->world->HandBack(std::move(ctx), std::move(by)));
  found->control.Resume();
  co_return Result<void>();
}

Result<void> RunDesk::Cancel(std::string_view run, std::string reason) {
  TRY_ASSIGN(const RunPtr found, Find(run));
  found->control.Cancel(
      {ErrorCode::kCancelled, reason.empty() ? "the run was cancelled" : std::move(reason)});
  return {};
}

Task<Result<void>> RunDesk::HandOver(CallContext ctx, std::string run,
                                     engine::DriverChange change) {
  CO_TRY_ASSIGN(const RunPtr found, Find(run));
  const std::shared_ptr<RunKit> kit = found->kit;
  if (!kit) co_return Fail(ErrorCode::kNotFound, "run " + run + " is over");
  co_return co_await kit->world->TakeOver(std::move(ctx), std::move(change));
}

Task<Result<std::vector<RunJournal::Entry>>> RunDesk::After(CallContext ctx, std::string run,
                                                            std::uint64_t id) {
  CO_TRY_ASSIGN(const RunPtr found, Find(run));
  co_return co_await found->journal.After(std::move(ctx), id);
}

Task<Result<std::vector<json::object>>> RunDesk::Records(CallContext ctx, engine::Caller caller,
                                                         RunId run) {
  CO_TRY(CheckOn());
  CO_TRY_ASSIGN(const auto log, maker_->Log(caller));
  CO_TRY_ASSIGN(auto records, co_await log->Read(std::move(ctx), run));
  if (records.empty()) co_return Fail(ErrorCode::kNotFound, "there is no run " + run.value());
  co_return records;
}

Task<void> RunDesk::Stop(Error reason) {
  is_stopping_ = true;
  for (const auto& row : runs_) row.second->control.Cancel(reason);
  co_await tasks_.Join();
}

}  // namespace falconer::agent
