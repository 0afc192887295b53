#pragma once
// CancelFence: once a cancel is accepted, nothing more leaves for the page. Scopes nest (session,
// turn, node, provider invocation); a fence around one is around everything inside it. Whoever
// writes asks a ticket before every write: one atomic load as long as nothing was cancelled.
// Scopes are opened, fenced and ended on the session's strand; tickets may be asked anywhere.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async/clock.h"
#include "base/error.h"
#include "model/turn/signal.h"

namespace falconer::kernel {

struct FenceKey {
  model::CancelScope scope = model::CancelScope::kTurn;
  std::string id;
  auto operator<=>(const FenceKey&) const = default;
};

// What happened after a fence went up, measured from its acceptance.
struct FenceReport {
  std::string reason;
  TimePoint accepted;
  std::uint64_t refused = 0;             // writes that asked and were told no
  std::uint64_t left = 0;                // writes that had asked before and left after
  std::optional<Duration> last_refused;  // after acceptance
  std::optional<Duration> last_left;     // after acceptance: how late the last byte was
};

// A cheap copyable value that stands for one scope. Keeps working, and keeps saying no, after the
// scope is gone.
class FenceTicket {
 public:
  // Belongs to no scope: nothing may leave by it.
  FenceTicket() = default;

  // Asked right before a write.
  bool MayLeave() const;
  // The same as an error: kCancelled, with cause cancel_fence_applied.
  Result<void> Check() const;
  // Told right after a write that was allowed, so that one which was under way when the fence went
  // up shows in the report.
  void DidLeave() const;

 private:
  friend class CancelFence;
  struct Place;
  explicit FenceTicket(std::shared_ptr<Place> place) : place_(std::move(place)) {}
  std::shared_ptr<Place> place_;
};

struct FenceLimits {
  Duration keep_ended = std::chrono::minutes(1);  // how long an ended scope can be reported on
  std::size_t max_ended = 1024;
  std::size_t max_open = 65'536;
};

class CancelFence {
 public:
  // The clock must outlive this and every ticket.
  explicit CancelFence(const Clock& clock, FenceLimits limits = {});
  ~CancelFence();
  CancelFence(const CancelFence&) = delete;
  CancelFence& operator=(const CancelFence&) = delete;

  // Opens a scope, inside `parent` if there is one; inside a fenced one it is fenced from the
  // start. Fails with kAlreadyExists, kNotFound for the parent, kInvalidArgument when the parent's
  // scope is not a wider one, and kQueueFull beyond the limit.
  Result<FenceTicket> Open(const FenceKey& key, const std::optional<FenceKey>& parent);
  // From the moment this returns nothing under the scope may leave. Only the first reason counts.
  // kNotFound when the scope is not open.
  Result<void> Accept(const FenceKey& key, std::string reason);
  // The scope and everything inside is over: nothing may leave by its tickets any more.
  void End(const FenceKey& key);

  // Of a scope that was fenced, until it is forgotten.
  std::optional<FenceReport> ReportOf(const FenceKey& key) const;
  std::size_t open_scopes() const { return open_.size(); }
  std::size_t remembered() const { return ended_.size(); }

 private:
  using Place = FenceTicket::Place;
  struct Ended {
    std::shared_ptr<Place> place;
    TimePoint at;
  };

  static void FenceAll(Place& place, TimePoint at, const std::string& reason);
  void CloseAll(const std::shared_ptr<Place>& place, TimePoint at);
  void Forget();

  const Clock& clock_;
  FenceLimits limits_;
  std::map<FenceKey, std::shared_ptr<Place>> open_;
  std::vector<Ended> ended_;  // oldest first
};

}  // namespace falconer::kernel
