#pragma once
// Cancellation: a source says once that the work is off, with a reason; every holder of its token
// sees it and every sleeping waiter is woken.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/async/event_hub.h"
#include "base/error.h"

namespace falconer {

class CancelToken {
 public:
  // A token that is never cancelled.
  CancelToken() = default;

  bool is_cancelled() const { return state_ && state_->reason.has_value(); }
  // The reason, if cancelled.
  Result<void> Check() const;
  // Runs `wake` when cancelled, or at once if that has happened already.
  Subscription OnCancel(std::function<void()> wake) const;

 private:
  friend class CancelSource;
  struct State {
    std::optional<Error> reason;
    EventHub<> hub;
  };
  explicit CancelToken(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

class CancelSource {
 public:
  CancelSource() : state_(std::make_shared<CancelToken::State>()) {}
  CancelToken token() const { return CancelToken(state_); }
  bool is_cancelled() const { return state_->reason.has_value(); }
  // Only the first call counts.
  void Cancel(Error reason);

 private:
  std::shared_ptr<CancelToken::State> state_;
};

// A source that is cancelled, with the same reason, when any of the tokens it follows is.
class LinkedCancelSource {
 public:
  LinkedCancelSource() = default;
  explicit LinkedCancelSource(const CancelToken& first) { Follow(first); }
  LinkedCancelSource(const LinkedCancelSource&) = delete;
  LinkedCancelSource& operator=(const LinkedCancelSource&) = delete;

  void Follow(const CancelToken& token);
  CancelToken token() const { return source_.token(); }
  void Cancel(Error reason) { source_.Cancel(std::move(reason)); }

 private:
  CancelSource source_;
  std::vector<Subscription> followed_;
};

}  // namespace falconer
