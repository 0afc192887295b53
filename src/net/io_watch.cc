#include "net/io_watch.h"

#include <optional>
#include <string>
#include <utility>

#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>

namespace falconer::net {

struct IoWatch::State {
  State(const CallContext& c, std::function<void()> i)
      : ctx(c), interrupt(std::move(i)), timer(ctx.executor()) {}

  void Fire(Error why) {
    if (reason) return;
    reason = std::move(why);
    interrupt();
  }

  void OnTimer(std::uint64_t armed_as) {
    if (armed_as != generation || !until.HasPassed(ctx.clock().Now())) return;
    Fire(Error(ErrorCode::kTimeout, "timed out"));
  }

  CallContext ctx;
  std::function<void()> interrupt;
  boost::asio::steady_timer timer;
  Deadline until = Deadline::Never();
  // Tells a wake-up of this arming from one that was already on its way when it was replaced.
  std::uint64_t generation = 0;
  std::optional<Error> reason;
  Subscription cancelled;
};

IoWatch::IoWatch(const CallContext& ctx, std::function<void()> interrupt)
    : state_(std::make_shared<State>(ctx, std::move(interrupt))) {
  Arm(Deadline::Never());
  state_->cancelled = ctx.cancel().OnCancel([state = state_.get()] {
    if (const auto check = state->ctx.cancel().Check(); !check) state->Fire(check.error());
  });
}

IoWatch::~IoWatch() {
  Disarm();
  state_->cancelled.Reset();
}

void IoWatch::Arm(Deadline deadline) {
  Disarm();
  if (!state_->ctx.cancel().is_cancelled()) state_->reason.reset();
  state_->until = Deadline::Earlier(deadline, state_->ctx.deadline());
  if (state_->until.is_never()) return;
  if (state_->until.HasPassed(state_->ctx.clock().Now()))
    return state_->OnTimer(state_->generation);
  state_->ctx.clock().Arm(state_->timer, state_->until.at());
  state_->timer.async_wait(
      [state = state_, armed_as = state_->generation](const boost::system::error_code& /*code*/) {
        state->OnTimer(armed_as);
      });
}

void IoWatch::ArmFor(Duration timeout) {
  Arm(Deadline::At(state_->ctx.clock().Now() + timeout));
}

void IoWatch::Disarm() {
  ++state_->generation;
  state_->ctx.clock().Disarm(state_->timer);
  state_->timer.cancel();
}

bool IoWatch::has_fired() const {
  return state_->reason.has_value();
}

Error IoWatch::Explain(const boost::system::error_code& code, std::string_view what) const {
  if (const auto& reason = state_->reason) return Error(*reason).In(what);
  const auto kind = code == boost::asio::error::operation_aborted ? ErrorCode::kCancelled
                                                                  : ErrorCode::kNetworkError;
  return Error(kind, std::string(what) + ": " + code.message());
}

}  // namespace falconer::net
