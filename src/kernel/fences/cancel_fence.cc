#include "kernel/fences/cancel_fence.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <utility>

namespace falconer::kernel {

// Written on the session's strand but for the atomics, which tickets touch from anywhere. The order
// of scopes is from wide to narrow, and children are narrower than their parent.
struct FenceTicket::Place {
  Place(const Clock& its_clock, FenceKey its_key, Place* its_parent)
      : clock(its_clock), key(std::move(its_key)), parent(its_parent) {}

  bool is_up() const { return is_fenced.load(std::memory_order_acquire); }

  // Time since the fence went up; tickets read it only after they saw the fence.
  std::int64_t Since() const { return (clock.Now() - accepted).count(); }

  const Clock& clock;
  FenceKey key;
  Place* parent;  // of an open scope only; cleared when it ends
  std::vector<std::weak_ptr<Place>> children;
  TimePoint accepted;
  std::string reason;
  std::atomic<bool> is_fenced = false;
  std::atomic<std::uint64_t> refused = 0;
  std::atomic<std::uint64_t> left = 0;
  std::atomic<std::int64_t> last_refused = 0;
  std::atomic<std::int64_t> last_left = 0;
};

bool FenceTicket::MayLeave() const {
  if (!place_) return false;
  if (!place_->is_up()) return true;
  place_->refused.fetch_add(1, std::memory_order_relaxed);
  place_->last_refused.store(place_->Since(), std::memory_order_relaxed);
  return false;
}

Result<void> FenceTicket::Check() const {
  if (MayLeave()) return {};
  json::object details{{"cause", "cancel_fence_applied"}};
  if (!place_) {
    return std::unexpected(Error(ErrorCode::kCancelled, "the scope is not open", details));
  }
  details["reason"] = place_->reason;
  return std::unexpected(
      Error(ErrorCode::kCancelled,
            fmt::format("{} {} was cancelled: {}", NameIn(model::kCancelScopes, place_->key.scope),
                        place_->key.id, place_->reason),
            details));
}

void FenceTicket::DidLeave() const {
  if (!place_ || !place_->is_up()) return;
  place_->left.fetch_add(1, std::memory_order_relaxed);
  place_->last_left.store(place_->Since(), std::memory_order_relaxed);
}

CancelFence::CancelFence(const Clock& clock, FenceLimits limits) : clock_(clock), limits_(limits) {
}

CancelFence::~CancelFence() {
  const TimePoint now = clock_.Now();
  for (const auto& [key, place] : open_) FenceAll(*place, now, "session_ended");
}

Result<FenceTicket> CancelFence::Open(const FenceKey& key, const std::optional<FenceKey>& parent) {
  Forget();
  if (open_.contains(key)) return Fail(ErrorCode::kAlreadyExists, key.id + " is open already");
  if (open_.size() >= limits_.max_open) return Fail(ErrorCode::kQueueFull, "too many open scopes");
  std::shared_ptr<Place> above;
  if (parent) {
    const auto found = open_.find(*parent);
    if (found == open_.end()) return Fail(ErrorCode::kNotFound, parent->id + " is not open");
    if (parent->scope >= key.scope) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("a {} is not inside a {}", NameIn(model::kCancelScopes, key.scope),
                              NameIn(model::kCancelScopes, parent->scope)));
    }
    above = found->second;
  }
  auto place = std::make_shared<Place>(clock_, key, above.get());
  if (above) {
    std::erase_if(above->children, [](const auto& child) { return child.expired(); });
    above->children.push_back(place);
    if (above->is_up()) FenceAll(*place, above->accepted, above->reason);
  }
  open_.emplace(key, place);
  return FenceTicket(std::move(place));
}

void CancelFence::FenceAll(Place& place, TimePoint at, const std::string& reason) {
  if (!place.is_up()) {
    place.accepted = at;
    place.reason = reason;
    place.is_fenced.store(true, std::memory_order_release);
  }
  for (const std::weak_ptr<Place>& child : place.children) {
    if (const auto inner = child.lock()) FenceAll(*inner, at, reason);
  }
}

Result<void> CancelFence::Accept(const FenceKey& key, std::string reason) {
  const auto found = open_.find(key);
  if (found == open_.end()) return Fail(ErrorCode::kNotFound, key.id + " is not open");
  FenceAll(*found->second, clock_.Now(), reason);
  return {};
}

void CancelFence::End(const FenceKey& key) {
  const auto found = open_.find(key);
  if (found == open_.end()) return;
  const std::shared_ptr<Place> place = found->second;
  if (place->parent != nullptr) {
    std::erase_if(place->parent->children,
                  [&](const auto& child) { return child.lock() == place; });
  }
  CloseAll(place, clock_.Now());
  Forget();
}

void CancelFence::CloseAll(const std::shared_ptr<Place>& place, TimePoint at) {
  for (const std::weak_ptr<Place>& child : place->children) {
    if (const auto inner = child.lock()) CloseAll(inner, at);
  }
  place->children.clear();
  place->parent = nullptr;
  const bool was_cancelled = place->is_up();
  FenceAll(*place, at, "scope_ended");
  open_.erase(place->key);
  // Only a cancel is worth remembering.
  if (was_cancelled) ended_.push_back({place, at});
}

void CancelFence::Forget() {
  const TimePoint now = clock_.Now();
  const auto is_old = [&](const Ended& ended) { return now - ended.at >= limits_.keep_ended; };
  std::size_t old = 0;
  while (old < ended_.size() && (is_old(ended_[old]) || ended_.size() - old > limits_.max_ended)) {
    ++old;
  }
  ended_.erase(ended_.begin(), ended_.begin() + static_cast<std::ptrdiff_t>(old));
}

std::optional<FenceReport> CancelFence::ReportOf(const FenceKey& key) const {
  const Place* place = nullptr;
  if (const auto found = open_.find(key); found != open_.end()) {
    place = found->second.get();
  } else {
    const auto last = std::ranges::find_if(ended_.rbegin(), ended_.rend(), [&](const Ended& ended) {
      return ended.place->key == key;
    });
    if (last != ended_.rend()) place = last->place.get();
  }
  if (place == nullptr || !place->is_up()) return std::nullopt;
  FenceReport report{.reason = place->reason,
                     .accepted = place->accepted,
                     .refused = place->refused.load(std::memory_order_relaxed),
                     .left = place->left.load(std::memory_order_relaxed)};
  if (report.refused > 0) report.last_refused = Duration(place->last_refused.load());
  if (report.left > 0) report.last_left = Duration(place->last_left.load());
  return report;
}

}  // namespace falconer::kernel
