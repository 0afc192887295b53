#pragma once
// SecretTrail: where secrets have been in a tab lately, for picture after picture. One mask
// (secret_mask.h) begins before the one in front ends, so that no moment is missed. A picture comes
// some time after it was taken, on a busy machine seconds, and shows what was drawn a little before
// that: all places since then count.

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "browser/tabs/secret_mask.h"

namespace falconer::browser {

// What must be covered in a picture of the window.
struct CoverPlan {
  std::vector<model::Rect> areas;
  double view_width = 0;
  double view_height = 0;
};

class SecretTrail {
 public:
  explicit SecretTrail(std::shared_ptr<Tab> tab) : tab_(std::move(tab)) {}
  // Follows no longer.
  ~SecretTrail();
  SecretTrail(const SecretTrail&) = delete;
  SecretTrail& operator=(const SecretTrail&) = delete;

  // Begins to follow, and waits until it is redrawn. Before anything else, and again after a
  // failure. Fails when the page cannot be followed.
  Task<Result<void>> Begin(CallContext ctx);
  // Waits until what the page drew before now is no longer what is seen. Fails as Begin() does.
  Task<Result<void>> Redrawn(CallContext ctx);
  // What to cover in a picture that was taken so long ago. Fails when nobody can tell: it was taken
  // before Begin(), the page was replaced, a frame came that nobody followed, the page does not
  // answer. Then the picture must not be shown, nor any other before Begin().
  Task<Result<CoverPlan>> Cover(CallContext ctx, Duration age);
  // True when places counted last time that nothing may be at any more: a picture that is taken
  // later would show more.
  bool is_fading() const { return is_fading_; }

 private:
  // Ends the mask in front once the next has begun.
  Task<Result<SecretAreas>> Roll(CallContext ctx, SecretMask* next);

  struct Stretch {
    TimePoint ended;
    SecretAreas areas;
  };
  CoverPlan PlanSince(TimePoint drawn);

  std::shared_ptr<Tab> tab_;
  std::optional<SecretMask> mask_;
  std::deque<Stretch> stretches_;  // oldest first
  TimePoint begun_;
  bool is_fading_ = false;
};

// The picture with everything covered. Fails when it cannot be read: then it must not be shown.
Result<std::string> CoverPicture(const std::string& jpeg, const CoverPlan& plan, int quality);

}  // namespace falconer::browser
