#include "base/async/stopped_time.h"

#include "base/check.h"

namespace falconer {

void StoppedTime::Stop() {
  if (stops_++ == 0) since_ = clock_.Now();
}

void StoppedTime::Go() {
  CHECK(stops_ > 0, "what goes on was stopped before");
  if (--stops_ > 0) return;
  before_ += clock_.Now() - since_;
  on_go_.Emit();
}

Duration StoppedTime::total() const {
  return is_stopped() ? before_ + (clock_.Now() - since_) : before_;
}

}  // namespace falconer
