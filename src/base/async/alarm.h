#pragma once
// Alarm: the one way a coroutine sleeps. It wakes when signalled or when a deadline passes. All of
// it happens on one event loop; nothing here is thread safe.

#include "base/async/clock.h"
#include "base/async/task.h"

namespace falconer {

class Alarm {
 public:
  enum class Wake { kSignalled, kDeadline };

  Alarm(const Executor& executor, Clock& clock) : clock_(clock), timer_(executor) {}
  ~Alarm() { clock_.Disarm(timer_); }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  // Waits for Signal() or the deadline, whichever is first. A signal that came before the call
  // counts. One waiter at a time.
  Task<Wake> Wait(Deadline deadline);

  // Wakes the waiter; remembered until Wait() consumes it.
  void Signal();
  // Wakes the waiter, if there is one, as its deadline would: for one that may have to wait longer
  // or shorter than it thought.
  void Nudge() { timer_.cancel(); }

 private:
  Clock& clock_;
  boost::asio::steady_timer timer_;
  bool is_signalled_ = false;
};

}  // namespace falconer
