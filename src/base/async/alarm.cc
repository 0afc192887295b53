#include "base/async/alarm.h"

#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace falconer {

Task<Alarm::Wake> Alarm::Wait(Deadline deadline) {
  if (!is_signalled_ && !deadline.HasPassed(clock_.Now())) {
    clock_.Arm(timer_, deadline.at());
    co_await timer_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    clock_.Disarm(timer_);
  }
  co_return std::exchange(is_signalled_, false) ? Wake::kSignalled : Wake::kDeadline;
}

void Alarm::Signal() {
  is_signalled_ = true;
  timer_.cancel();
}

}  // namespace falconer
