#pragma once
// TurnFence: the fence around one turn, from the kernel down to the bytes. As long as the turn is
// wanted its commands leave; once it is called off, or over, nothing more of it does.

#include <memory>
#include <optional>

#include "base/async/cancel.h"
#include "browser/session.h"
#include "kernel/fences/cancel_fence.h"

namespace falconer::engine {

class TurnFence {
 public:
  // Opens the turn's scope inside that of its session, which must be open. The fence goes up when
  // `wanted` is cancelled. `fence` must outlive this. kAlreadyExists, kQueueFull.
  static Result<std::unique_ptr<TurnFence>> Open(kernel::CancelFence& fence,
                                                 const SessionId& session, const TurnId& turn,
                                                 const CancelToken& wanted);
  // The turn is over: nothing leaves by its ticket any more, and the browser heeds it no longer.
  ~TurnFence();
  TurnFence(const TurnFence&) = delete;
  TurnFence& operator=(const TurnFence&) = delete;

  // From now on what acts on a page of the session asks this fence.
  void Guard(std::shared_ptr<browser::Session> browser);
  // What happened after the fence went up, if it did.
  std::optional<kernel::FenceReport> Report() const { return fence_.ReportOf(key_); }

 private:
  TurnFence(kernel::CancelFence& fence, const TurnId& turn, kernel::FenceTicket ticket);

  kernel::CancelFence& fence_;
  kernel::FenceKey key_;
  kernel::FenceTicket ticket_;
  std::shared_ptr<browser::Session> guarded_;
  Subscription called_off_;
};

// The scope of a session, which those of its turns lie in.
kernel::FenceKey SessionScope(const SessionId& session);

// For the record of a turn that was called off.
json::object ToJson(const kernel::FenceReport& report);

}  // namespace falconer::engine
