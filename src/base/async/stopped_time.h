#pragma once
// StoppedTime: how long a call's time has stood still. While a person decides, none of the time
// that a call was given passes: contexts that follow a StoppedTime have their deadlines moved on by
// it. On one event loop; nothing here is thread safe.

#include <memory>
#include <utility>

#include "base/async/clock.h"
#include "base/async/event_hub.h"

namespace falconer {

class StoppedTime {
 public:
  // The clock must outlive this.
  explicit StoppedTime(const Clock& clock) : clock_(clock) {}
  StoppedTime(const StoppedTime&) = delete;
  StoppedTime& operator=(const StoppedTime&) = delete;

  // Time goes on once Go() was called as often as Stop().
  void Stop();
  void Go();
  bool is_stopped() const { return stops_ > 0; }
  // Until now.
  Duration total() const;
  // Called when time goes on.
  EventHub<>& on_go() { return on_go_; }

 private:
  const Clock& clock_;
  int stops_ = 0;
  TimePoint since_;
  Duration before_{};
  EventHub<> on_go_;
};

// Time stands still for as long as this lives.
class StandingStill {
 public:
  explicit StandingStill(std::shared_ptr<StoppedTime> stops) : stops_(std::move(stops)) {
    stops_->Stop();
  }
  ~StandingStill() { stops_->Go(); }
  StandingStill(const StandingStill&) = delete;
  StandingStill& operator=(const StandingStill&) = delete;

 private:
  std::shared_ptr<StoppedTime> stops_;
};

}  // namespace falconer
