#pragma once
// IoWatch: socket operations know nothing of deadlines and cancellation; a watch beside them
// interrupts the socket when its time is up or the call is off, and afterwards explains why.

#include <functional>
#include <memory>
#include <string_view>

#include <boost/system/error_code.hpp>

#include "base/async/call_context.h"

namespace falconer::net {

class IoWatch {
 public:
  // Armed with the deadline of `ctx`. `interrupt` must make pending operations return; it is not
  // called after the watch is gone.
  IoWatch(const CallContext& ctx, std::function<void()> interrupt);
  ~IoWatch();
  IoWatch(const IoWatch&) = delete;
  IoWatch& operator=(const IoWatch&) = delete;

  // Starts afresh with another deadline (the context's still holds if it is earlier).
  void Arm(Deadline deadline);
  void ArmFor(Duration timeout);
  // Time no longer matters; cancellation still does.
  void Disarm();
  bool has_fired() const;

  // Why an operation failed with `code`: the timeout or cancellation that interrupted it, or else
  // kNetworkError. `what` names the operation: "connect".
  Error Explain(const boost::system::error_code& code, std::string_view what) const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace falconer::net
