#pragma once
// BoundedQueue<T>: first in, first out, with a bound and a declared answer to "it is full". Not
// thread safe: it belongs to one strand.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

namespace falconer {

enum class Overflow {
  kRefuse,      // the push fails and the caller decides
  kDropOldest,  // the newest is what matters: make room
  kDropNewest,  // what is queued was promised: lose the new one
};

enum class Push {
  kAdded,
  kAddedAfterDrop,  // the oldest element went
  kDropped,         // the new element went, as declared
  kRefused,
};

template <typename T>
class BoundedQueue {
 public:
  // A bound of zero is taken as one.
  BoundedQueue(std::size_t bound, Overflow overflow)
      : bound_(std::max<std::size_t>(bound, 1)), overflow_(overflow) {}

  // Adds at the back, or does what was declared for a full queue. `value` is moved from only when
  // it was added.
  [[nodiscard]] Push TryPush(T&& value) {
    if (items_.size() < bound_) return Add(std::move(value), Push::kAdded);
    if (overflow_ == Overflow::kRefuse) {
      ++refused_;
      return Push::kRefused;
    }
    ++dropped_;
    if (overflow_ == Overflow::kDropNewest) return Push::kDropped;
    items_.pop_front();
    return Add(std::move(value), Push::kAddedAfterDrop);
  }

  // The oldest element, if there is one.
  std::optional<T> TryPop() {
    if (items_.empty()) return std::nullopt;
    std::optional<T> value(std::move(items_.front()));
    items_.pop_front();
    return value;
  }

  void Clear() { items_.clear(); }

  bool is_empty() const { return items_.empty(); }
  bool is_full() const { return items_.size() >= bound_; }
  std::size_t size() const { return items_.size(); }
  std::size_t bound() const { return bound_; }
  // Elements lost to the bound, and pushes it refused, since the start.
  std::uint64_t dropped() const { return dropped_; }
  std::uint64_t refused() const { return refused_; }
  // The elements, oldest first, for rings that are read without being emptied.
  const std::deque<T>& items() const { return items_; }

 private:
  Push Add(T&& value, Push answer) {
    items_.push_back(std::move(value));
    return answer;
  }

  std::size_t bound_;
  Overflow overflow_;
  std::deque<T> items_;
  std::uint64_t dropped_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace falconer
