#include "base/async/call_context.h"

#include <string>
#include <utility>

namespace falconer {
namespace {

const std::shared_ptr<const Correlation>& NoIds() {
  static const auto none = std::make_shared<const Correlation>();
  return none;
}

}  // namespace

CallContext::CallContext(Executor executor, Clock& clock, Deadline deadline)
    : executor_(std::move(executor)), clock_(&clock), deadline_(deadline), ids_(NoIds()) {
}

CallContext CallContext::WithTimeout(Duration timeout) const {
  return WithDeadline(Deadline::After(clock_->Now(), timeout));
}

CallContext CallContext::WithDeadline(Deadline deadline) const {
  CallContext copy = *this;
  if (stops_ && !deadline.is_never()) deadline = Deadline::At(deadline.at() - stops_->total());
  copy.deadline_ = Deadline::Earlier(deadline_, deadline);
  return copy;
}

CallContext CallContext::WithGrace(Duration grace) const {
  CallContext copy = *this;
  copy.deadline_ = Deadline::After(deadline_.at(), grace);
  return copy;
}

CallContext CallContext::WithStops(std::shared_ptr<StoppedTime> stops) const {
  CallContext copy = *this;
  const Deadline until = deadline();
  copy.stops_ = std::move(stops);
  copy.deadline_ = Deadline::Never();
  return copy.WithDeadline(until);
}

Deadline CallContext::deadline() const {
  return stops_ ? Deadline::After(deadline_.at(), stops_->total()) : deadline_;
}

CallContext CallContext::WithCancel(CancelToken token) const {
  CallContext copy = *this;
  copy.cancel_ = std::move(token);
  return copy;
}

CallContext CallContext::WithIds(Correlation ids) const {
  CallContext copy = *this;
  copy.ids_ = std::make_shared<const Correlation>(std::move(ids));
  return copy;
}

Result<void> CallContext::StillWanted(std::string_view what) const {
  TRY(cancel_.Check());
  if (deadline().HasPassed(clock_->Now())) {
    return Fail(ErrorCode::kTimeout, "timed out waiting for " + std::string(what));
  }
  return {};
}

Task<Result<void>> CallContext::Wait(Alarm* alarm, std::string_view what) const {
  const Subscription woken = cancel_.OnCancel([alarm] { alarm->Signal(); });
  Subscription went_on;
  if (stops_) went_on = stops_->on_go().Subscribe([alarm] { alarm->Nudge(); });
  while (true) {
    const auto wake = co_await alarm->Wait(is_stopped() ? Deadline::Never() : deadline());
    CO_TRY(cancel_.Check());
    if (wake == Alarm::Wake::kSignalled) co_return Result<void>();
    // Time that stood still since the wait began moved the deadline on.
    CO_TRY(StillWanted(what));
  }
}

Task<Result<void>> CallContext::UntilTimeGoes() const {
  Alarm alarm(executor_, *clock_);
  const Subscription woken = cancel_.OnCancel([&alarm] { alarm.Signal(); });
  while (is_stopped() && cancel_.Check()) {
    const Subscription went_on = stops_->on_go().Subscribe([&alarm] { alarm.Signal(); });
    co_await alarm.Wait(Deadline::Never());
  }
  co_return cancel_.Check();
}

}  // namespace falconer
