#include "browser/stream/frame_queue.h"

#include <algorithm>
#include <utility>

namespace falconer::browser {
namespace {

// More at once says no more than "as fast as you can".
constexpr std::uint64_t kMostCredits = 1'000'000;

}  // namespace

void FrameQueue::Push(std::shared_ptr<const LiveFrame> frame) {
  ++offered_;
  if (frames_.size() >= bound_) {
    frames_.pop_front();
    ++dropped_;
  }
  frames_.push_back(std::move(frame));
}

std::shared_ptr<const LiveFrame> FrameQueue::Take() {
  if (!has_next()) return nullptr;
  if (credits_) --*credits_;
  ++taken_;
  auto frame = std::move(frames_.front());
  frames_.pop_front();
  return frame;
}

void FrameQueue::Grant(std::uint64_t credits) {
  credits_ = std::min(credits_.value_or(0) + std::min(credits, kMostCredits), kMostCredits);
}

}  // namespace falconer::browser
