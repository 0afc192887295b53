#pragma once
// CallContext: what every call that waits carries along: until when, whether it is still wanted,
// and on whose behalf. A small value; pass it by value as the first parameter.

#include <memory>
#include <string>
#include <string_view>

#include "base/async/alarm.h"
#include "base/async/cancel.h"
#include "base/async/stopped_time.h"
#include "base/ids.h"

namespace falconer {

// Who and what a call belongs to, for log and ledger.
struct Correlation {
  TenantId tenant;
  WorkflowId workflow;
  SessionId session;
  TurnId turn;
  TraceId trace;     // a W3C traceparent
  std::string call;  // of a client, which what is asked meanwhile belongs to; "" for none
};

class CallContext {
 public:
  CallContext(Executor executor, Clock& clock, Deadline deadline = Deadline::Never());

  const Executor& executor() const { return executor_; }
  Clock& clock() const { return *clock_; }
  // Moved on by the time that has stood still since it was set.
  Deadline deadline() const;
  const CancelToken& cancel() const { return cancel_; }
  const Correlation& ids() const { return *ids_; }

  // A copy whose deadline is `timeout` from now, or this one's if that is earlier.
  CallContext WithTimeout(Duration timeout) const;
  CallContext WithDeadline(Deadline deadline) const;
  // A copy whose deadline is later: for who ends by himself in time and may say so a little late.
  CallContext WithGrace(Duration grace) const;
  // A copy that heeds `token` instead of this one's.
  CallContext WithCancel(CancelToken token) const;
  CallContext WithIds(Correlation ids) const;
  // A copy whose deadlines stand still while `stops` does.
  CallContext WithStops(std::shared_ptr<StoppedTime> stops) const;

  // Whether time stood still, or stands still, for this call.
  bool has_stood_still() const { return stops_ && stops_->total() > Duration::zero(); }
  Duration TimeLeft() const { return deadline().Left(clock_->Now()); }
  // kCancelled (or the canceller's reason) or kTimeout once the call must not go on. `what` names
  // the work in the message.
  Result<void> StillWanted(std::string_view what) const;

  // Sleeps on `*alarm` until it is signalled; fails like StillWanted().
  Task<Result<void>> Wait(Alarm* alarm, std::string_view what) const;
  // Returns at once unless time stands still; fails when the call is cancelled meanwhile.
  Task<Result<void>> UntilTimeGoes() const;

 private:
  bool is_stopped() const { return stops_ && stops_->is_stopped(); }

  Executor executor_;
  Clock* clock_;
  // As if time had never stood still.
  Deadline deadline_;
  std::shared_ptr<StoppedTime> stops_;
  CancelToken cancel_;
  std::shared_ptr<const Correlation> ids_;
};

}  // namespace falconer
