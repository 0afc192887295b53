#pragma once
// FrameQueue: the frames that wait for one viewer. When it is full the oldest goes: whoever is slow
// sees fewer frames, not older ones, and costs nobody memory.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "browser/stream/live_frame.h"

namespace falconer::browser {

class FrameQueue {
 public:
  explicit FrameQueue(std::size_t bound) : bound_(bound) {}

  void Push(std::shared_ptr<const LiveFrame> frame);
  // The oldest frame that waits, for one credit; null when none waits or no credit is left.
  std::shared_ptr<const LiveFrame> Take();
  bool has_next() const { return !frames_.empty() && credits_ != std::optional<std::uint64_t>(0); }

  // The viewer can take so many more. A viewer that never says so has as many credits as it needs:
  // it gets frames as fast as its connection takes them.
  void Grant(std::uint64_t credits);
  // Nothing when it never said so.
  const std::optional<std::uint64_t>& credits() const { return credits_; }

  std::uint64_t offered() const { return offered_; }
  std::uint64_t taken() const { return taken_; }
  std::uint64_t dropped() const { return dropped_; }
  std::size_t size() const { return frames_.size(); }

 private:
  std::size_t bound_;
  std::deque<std::shared_ptr<const LiveFrame>> frames_;
  std::optional<std::uint64_t> credits_;
  std::uint64_t offered_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace falconer::browser
