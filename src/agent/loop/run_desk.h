#pragma once
// RunDesk: where runs of the built-in agent are begun, watched and governed. When the agent is off
// it says so, and does nothing. On the server's event loop.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agent/loop/run_control.h"
#include "agent/loop/run_journal.h"
#include "agent/loop/run_past.h"
#include "agent/loop/run_result.h"
#include "agent/loop/run_world.h"
#include "base/async/task_scope.h"

namespace falconer::agent {

struct RunDeskLimits {
  std::size_t at_once = 50;
  std::size_t kept = 200;  // of those that are over
};

class RunDesk {
 public:
  // Tells how far a run is: {"event", ...}. What tools were called with is not there.
  using News = std::function<void(json::object news)>;

  // `maker` is null when the agent is off, and else outlives the desk. No run may do more than
  // `most`.
  RunDesk(Executor executor, Clock& clock, RunMaker* maker, RunConfig most,
          RunDeskLimits limits = {});
  RunDesk(const RunDesk&) = delete;
  RunDesk& operator=(const RunDesk&) = delete;

  bool is_on() const { return maker_ != nullptr; }

  // Everything fails with kToolUnavailable while the agent is off, and kNotFound for a run that
  // there is not.
  //
  // Whether a run can be wished for like that (ParseRunWish says what a wish is). kInvalidArgument.
  Result<void> CheckWish(const json::value& wish) const;
  static RunId NewId();
  // Begins a run and gives its id. As CheckWish, kQueueFull, kAlreadyExists for an id that is taken
  // here, and as RunMaker::Make.
  Result<RunId> Begin(engine::Caller caller, const json::value& wish, RunId run = NewId());
  // Takes up one that was broken off, or cancelled. kAlreadyExists for one that runs, or has ended
  // in a way that leaves nothing to do.
  Task<Result<RunId>> BeginAgain(CallContext ctx, engine::Caller caller, RunId run);
  // Tells what happens in a run, and waits for its end: what RunResult::ToJson says, however it
  // ended. A run whose `ctx` ends is cancelled.
  Task<Result<json::object>> Follow(CallContext ctx, RunId run, News news);
  // The whole of a run whose id lasted before it began: begins it when nothing is on record of it,
  // takes it up when it was broken off, and answers with what is on record when it is over. Else as
  // Follow, but fails like ctx when that cancelled it: then it can be carried on once more.
  Task<Result<json::object>> CarryOn(CallContext ctx, engine::Caller caller, RunId run,
                                     json::value wish, News news);

  // {"run_id", "status": "running" | "paused" | "handed_over" | "complete" | "failed", "state",
  // "task", "began_at", "result"?}. Of runs of earlier days, as far as the records say,
  // "broken_off" included.
  Task<Result<json::object>> Status(CallContext ctx, engine::Caller caller, RunId run);
  std::vector<json::object> List() const;
  bool IsUnderWay(std::string_view run) const;
  // By a person.
  bool IsDriven(std::string_view run) const;
  // Whether it runs, or has ended lately.
  Result<void> CheckKnown(std::string_view run) const;
  Result<void> Pause(std::string_view run);
  // Also hands back, when a person has the session.
  Task<Result<void>> Resume(CallContext ctx, std::string run, engine::DriverChange by);
  Result<void> Cancel(std::string_view run, std::string reason);
  // The session is the person's when this returns; the run goes on when it is handed back.
  Task<Result<void>> HandOver(CallContext ctx, std::string run, engine::DriverChange change);
  // Waits for the end. Fails like ctx, and the run goes on.
  Task<Result<json::object>> Await(CallContext ctx, std::string run);
  // Its news after that one; empty once it is over.
  Task<Result<std::vector<RunJournal::Entry>>> After(CallContext ctx, std::string run,
                                                     std::uint64_t id);
  // All that is on record.
  Task<Result<std::vector<json::object>>> Records(CallContext ctx, engine::Caller caller,
                                                  RunId run);

  // Cancels all and waits until they are over. Must be over before this object goes.
  Task<void> Stop(Error reason);

 private:
  struct Run;
  using RunPtr = std::shared_ptr<Run>;

  Result<void> CheckOn() const;
  Result<RunPtr> Find(std::string_view run) const;
  Result<RunPtr> Enter(RunOrder order, std::optional<RunPast> past);
  static Task<void> Drive(RunDesk* self, RunPtr run);
  Task<Result<json::object>> ResultOf(CallContext ctx, RunPtr run);
  json::object Tell(const Run& run) const;
  std::size_t running() const;
  void ForgetOld();

  Executor executor_;
  Clock& clock_;
  RunMaker* maker_;
  const RunConfig most_;
  RunDeskLimits limits_;
  bool is_stopping_ = false;
  std::map<std::string, RunPtr, std::less<>> runs_;
  Notifier ended_;
  TaskScope tasks_;
};

}  // namespace falconer::agent
