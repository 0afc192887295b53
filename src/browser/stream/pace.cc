#include "browser/stream/pace.h"

#include <algorithm>
#include <iterator>

namespace falconer::browser {
namespace {

struct PaceLevel {
  // Of the best quality, in hundredths.
  int quality;
  // Of the shortest interval.
  int slower;
};

// Size goes first: a blurred picture in time is worth more than a sharp one that is late.
constexpr PaceLevel kPaceLevels[] = {{100, 1}, {70, 1}, {50, 1}, {50, 2}, {40, 4}, {40, 8}};
// Who loses more than one frame in this many cannot keep up.
constexpr std::uint64_t kLossShare = 4;
// Going back too soon would only lead here again.
constexpr int kStretchesToRecover = 3;
constexpr int kLowestQuality = 5;

bool LosesMany(const ViewerShare& share) {
  return share.dropped * kLossShare > share.offered;
}

}  // namespace

void Pace::Note(std::span<const ViewerShare> viewers) {
  std::size_t active = 0;
  std::size_t slow = 0;
  bool is_lossless = true;
  for (const ViewerShare& share : viewers) {
    if (share.offered == 0 || share.taken == 0) continue;
    ++active;
    if (LosesMany(share)) ++slow;
    if (share.dropped > 0) is_lossless = false;
  }
  if (active == 0) return;
  if (slow > 0 && slow * 2 >= active) {
    level_ = std::min(level_ + 1, static_cast<int>(std::size(kPaceLevels)) - 1);
    good_stretches_ = 0;
    return;
  }
  good_stretches_ = is_lossless ? good_stretches_ + 1 : 0;
  if (good_stretches_ < kStretchesToRecover || level_ == 0) return;
  --level_;
  good_stretches_ = 0;
}

int Pace::quality() const {
  return std::max(quality_ * kPaceLevels[level_].quality / 100, std::min(quality_, kLowestQuality));
}

Duration Pace::interval() const {
  return std::chrono::duration_cast<Duration>(std::chrono::seconds(1)) *
         kPaceLevels[level_].slower / max_fps_;
}

}  // namespace falconer::browser
