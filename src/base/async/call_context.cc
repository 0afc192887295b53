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
  copy.deadline_ = Deadline::Earlier(deadline_, deadline);
  return copy;
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
  if (deadline_.HasPassed(clock_->Now())) {
    return Fail(ErrorCode::kTimeout, "timed out waiting for " + std::string(what));
  }
  return {};
}

Task<Result<void>> CallContext::Wait(Alarm* alarm, std::string_view what) const {
  const Subscription woken = cancel_.OnCancel([alarm] { alarm->Signal(); });
  const auto wake = co_await alarm->Wait(deadline_);
  CO_TRY(cancel_.Check());
  if (wake == Alarm::Wake::kDeadline) {
    co_return Fail(ErrorCode::kTimeout, "timed out waiting for " + std::string(what));
  }
  co_return Result<void>();
}

}  // namespace falconer
