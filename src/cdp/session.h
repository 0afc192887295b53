#pragma once
// Session: the conversation with one target (page, frame, worker or the browser itself). Commands
// and events are typed; every command has a deadline, and calls that can no longer be answered fail
// with the reason. Kept alive by whoever calls it; it closes no later than its connection ends.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/async/event_hub.h"
#include "base/async/one_shot.h"
#include "cdp/protocol.h"
#include "cdp/write_fence.h"

namespace falconer::cdp {

class Connection;

// A command on its way: what to do with the answer. `result` is null on failure.
class PendingCall {
 public:
  PendingCall(std::string_view method, CommandClass command_class)
      : method_(method), class_(command_class) {}
  virtual ~PendingCall() = default;
  virtual void Complete(const json::object& result) = 0;
  virtual void Fail(Error error) = 0;

  std::string_view method() const { return method_; }
  CommandClass command_class() const { return class_; }

 private:
  std::string_view method_;
  CommandClass class_;
};

// The answer of a posted command, awaited at most once. Dropping it ignores the answer.
template <typename Command>
class PendingReply {
 public:
  using Reply = typename Command::Reply;

  // The reply; or the browser's error; or the fence's, and nothing was sent; or kQueueFull when the
  // browser does not read what it is sent; or kTargetDetached, kTabCrashed, kDialogOpen,
  // kBrowserGone when it can no longer come; or kTimeout.
  Task<Result<Reply>> Wait(CallContext ctx) const { return Await(call_, std::move(ctx)); }

  bool is_answered() const { return call_->answer.is_set(); }

 private:
  friend class Session;
  struct Call final : PendingCall {
    Call(const Executor& executor, Clock& clock)
        : PendingCall(Command::kMethod, Command::kClass), answer(executor, clock) {}
    void Complete(const json::object& result) override {
      Reader in(result);
      Reply reply{};
      Read(in, reply);
      if (in.is_ok()) return answer.Set(std::move(reply));
      Fail(Error(ErrorCode::kProtocolError,
                 std::string(Command::kMethod) + ": reply lacks a fitting " + in.wrong()));
    }
    void Fail(Error error) override { answer.Set(std::unexpected(std::move(error))); }
    OneShot<Result<Reply>> answer;
  };
  explicit PendingReply(std::shared_ptr<Call> call) : call_(std::move(call)) {}

  // Takes the call by value: a task runs later than it is made, and this object may be gone.
  static Task<Result<Reply>> Await(std::shared_ptr<Call> call, CallContext ctx) {
    CO_TRY_ASSIGN(auto reply, co_await call->answer.Wait(std::move(ctx), Command::kMethod));
    co_return reply;
  }

  std::shared_ptr<Call> call_;
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  // `id` is empty for the browser's own session.
  Session(Connection& connection, std::string id, TargetInfo target);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::string& id() const { return id_; }
  const TargetInfo& target() const { return target_; }
  bool is_open() const { return !closed_; }
  // Only while the session is open.
  Connection& connection() const { return connection_; }

  // Sends one command without waiting: commands written one after the other are pipelined.
  template <typename Command>
  PendingReply<Command> Post(const Command& command) {
    return PostUnder(command, Command::kActs ? fence() : nullptr);
  }
  // The same for a command that acts by its kind, but here only prepares or calls something off: no
  // fence is asked.
  template <typename Command>
  PendingReply<Command> PostUpkeep(const Command& command) {
    return PostUnder(command, nullptr);
  }

  // Sends one command and waits for its reply; see PendingReply::Wait.
  template <typename Command>
  Task<Result<typename Command::Reply>> Send(CallContext ctx, Command command) {
    return Post(command).Wait(ctx.WithTimeout(command_timeout_));
  }

  // Calls `handler` for every such event, in order, until the subscription is dropped. Events that
  // lack a fitting field are left out, and the first of each kind is logged.
  template <typename Event>
  Subscription On(std::function<void(const Event&)> handler) {
    return OnRaw(Event::kMethod, [this, handler = std::move(handler)](const json::object& params) {
      Reader in(params);
      Event event{};
      Read(in, event);
      if (in.is_ok()) return handler(event);
      NoteMalformed(Event::kMethod, in.wrong());
    });
  }

  // Told once with the reason when the session ends.
  Subscription OnClosed(std::function<void(const Error&)> handler);

  // Fails every call that only the page's process can answer: it crashed or shows a dialog.
  void InterruptCalls(const Error& reason);
  // The same, and from now on such commands are not sent but fail at once, with the newest reason.
  void Block(const Error& reason);
  // They are sent again, if this was the reason why they were not.
  void Unblock(ErrorCode reason);

  // From now on commands that act ask the slot's fence; those it refuses fail with its error, and
  // none of their bytes leave. Sessions that open below this one heed the same slot.
  void Heed(std::shared_ptr<const FenceSlot> slot) { fence_slot_ = std::move(slot); }

 private:
  friend class Connection;
  class FencedCommand;

  Subscription OnRaw(std::string_view method, std::function<void(const json::object&)> handler);
  void NoteMalformed(std::string_view method, std::string_view field);
  std::shared_ptr<const WriteFence> fence() const {
    return fence_slot_ ? fence_slot_->get() : nullptr;
  }
  // `fence` may be null.
  template <typename Command>
  PendingReply<Command> PostUnder(const Command& command, std::shared_ptr<const WriteFence> fence) {
    auto call = std::make_shared<typename PendingReply<Command>::Call>(executor_, clock_);
    json::object params;
    Write(params, command);
    Dispatch(call, std::move(params), std::move(fence));
    return PendingReply<Command>(std::move(call));
  }
  void Dispatch(std::shared_ptr<PendingCall> call, json::object params,
                std::shared_ptr<const WriteFence> fence);
  // The command was not sent and will not be.
  void Withdraw(std::int64_t id, const Error& why);
  void Emit(std::string_view method, const json::object& params);
  void Close(const Error& reason);

  Connection& connection_;
  // Copies, because a closed session may be used when its connection is gone.
  Executor executor_;
  Clock& clock_;
  Duration command_timeout_;
  std::string id_;
  TargetInfo target_;
  std::optional<Error> closed_;
  std::optional<Error> blocked_;
  std::shared_ptr<const FenceSlot> fence_slot_;
  // Calls on their way, by command id.
  std::unordered_map<std::int64_t, std::shared_ptr<PendingCall>> calls_;
  std::unordered_map<std::string_view, EventHub<const json::object&>> events_;
  EventHub<const Error&> on_closed_;
};

}  // namespace falconer::cdp
