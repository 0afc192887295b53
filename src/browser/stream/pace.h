#pragma once
// Pace: how good and how many the frames of a stream are, after what its viewers can take. When
// half of those who take anything at all cannot keep up, frames get smaller and then fewer; when
// all keep up for a while, it goes back. A viewer that takes nothing slows nobody down.

#include <chrono>
#include <cstdint>
#include <span>

#include "base/async/clock.h"

namespace falconer::browser {

// What one viewer was offered and took in a stretch of time.
struct ViewerShare {
  std::uint64_t offered = 0;
  std::uint64_t dropped = 0;
  std::uint64_t taken = 0;
};

class Pace {
 public:
  // At best: JPEG quality, and frames in a second.
  Pace(int quality, int max_fps) : quality_(quality), max_fps_(max_fps) {}

  // Told at the end of each stretch.
  void Note(std::span<const ViewerShare> viewers);

  int quality() const;
  // Between two frames.
  Duration interval() const;
  // 0 is the best.
  int level() const { return level_; }

 private:
  int quality_;
  int max_fps_;
  int level_ = 0;
  int good_stretches_ = 0;
};

}  // namespace falconer::browser
