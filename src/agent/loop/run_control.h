#pragma once
// RunControl: the word of those who started a run, or watch it: pause, go on, stop. On one event
// loop.

#include <utility>

#include "base/async/cancel.h"
#include "base/async/notifier.h"

namespace falconer::agent {

class RunControl {
 public:
  // The step that is under way is ended first.
  void Pause() { Set(true); }
  void Resume() { Set(false); }
  // At once: what is under way is broken off.
  void Cancel(Error reason) { cancel_.Cancel(std::move(reason)); }

  bool is_paused() const { return is_paused_; }
  bool is_cancelled() const { return cancel_.is_cancelled(); }
  CancelToken token() const { return cancel_.token(); }
  Task<Result<void>> UntilGoing(CallContext ctx) {
    return changes_.Until(std::move(ctx), [this] { return !is_paused_; }, "the run to go on");
  }

 private:
  void Set(bool paused) {
    is_paused_ = paused;
    changes_.NotifyAll();
  }

  bool is_paused_ = false;
  CancelSource cancel_;
  Notifier changes_;
};

}  // namespace falconer::agent
