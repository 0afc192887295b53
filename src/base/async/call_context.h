#pragma once
// CallContext: what every call that waits carries along: until when, whether it is still wanted,
// and on whose behalf. A small value; pass it by value as the first parameter.

#include <memory>
#include <string_view>

#include "base/async/alarm.h"
#include "base/async/cancel.h"
#include "base/ids.h"

namespace falconer {

// Who and what a call belongs to, for log and ledger.
struct Correlation {
  TenantId tenant;
  WorkflowId workflow;
  SessionId session;
  TurnId turn;
  TraceId trace;  // a W3C traceparent
};

class CallContext {
 public:
  CallContext(Executor executor, Clock& clock, Deadline deadline = Deadline::Never());

  const Executor& executor() const { return executor_; }
  Clock& clock() const { return *clock_; }
  Deadline deadline() const { return deadline_; }
  const CancelToken& cancel() const { return cancel_; }
  const Correlation& ids() const { return *ids_; }

  // A copy whose deadline is `timeout` from now, or this one's if that is earlier.
  CallContext WithTimeout(Duration timeout) const;
  CallContext WithDeadline(Deadline deadline) const;
  // A copy that heeds `token` instead of this one's.
  CallContext WithCancel(CancelToken token) const;
  CallContext WithIds(Correlation ids) const;

  Duration TimeLeft() const { return deadline_.Left(clock_->Now()); }
  // kCancelled (or the canceller's reason) or kTimeout once the call must not go on. `what` names
  // the work in the message.
  Result<void> StillWanted(std::string_view what) const;

  // Sleeps on `*alarm` until it is signalled; fails like StillWanted().
  Task<Result<void>> Wait(Alarm* alarm, std::string_view what) const;

 private:
  Executor executor_;
  Clock* clock_;
  Deadline deadline_;
  CancelToken cancel_;
  std::shared_ptr<const Correlation> ids_;
};

}  // namespace falconer
