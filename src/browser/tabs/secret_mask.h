#pragma once
// SecretMask: finds what shows a secret in a tab while a picture of it is taken, so that it can be
// painted over in the picture. Secret are fields that hide what is typed into them or say that they
// should (passwords, card numbers, codes), fields that a secret was typed into by an action, and
// whatever repeats such a secret; in all frames and open shadow trees. Empty fields show none.
//
// A picture takes its time, and pages move, scroll and are laid out anew for it. So the page
// follows its secrets from before to after, and all places at which they have been count. Of a
// frame that cannot tell, all counts.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "browser/frames/page_script.h"
#include "browser/frames/quad_map.h"
#include "browser/tabs/bitmap.h"
#include "browser/tabs/tab.h"

namespace falconer::browser {

// Areas, in CSS pixels of the window and of the page.
struct SecretAreas {
  std::vector<model::Rect> in_view;
  std::vector<model::Rect> on_page;
  // The window's size.
  double view_width = 0;
  double view_height = 0;

  bool empty() const { return in_view.empty(); }
};

// For one picture, which is part of a turn; or for one picture after the other, whatever turns do:
// then what comes and goes between two of them counts as well.
enum class Following : std::uint8_t { kPicture, kStream };

class SecretMask {
 public:
  explicit SecretMask(std::shared_ptr<Tab> tab, Following following = Following::kPicture)
      : tab_(std::move(tab)), following_(following) {}

  // Begins to follow. Fails when the page cannot: then no picture may be taken.
  Task<Result<void>> Begin(CallContext ctx);
  // Where secrets have been since. kContextDestroyed when the page was replaced meanwhile: then
  // nothing is known about the picture.
  Task<Result<SecretAreas>> End(CallContext ctx);

  // Follows no longer, without waiting.
  void GiveUp() const;

  // True when every frame that shows something now was followed from the beginning.
  Task<bool> SawEveryFrame(CallContext ctx) const;

  // The page that is followed.
  const ScriptCall& page() const { return main_; }

 private:
  struct Watched {
    ScriptCall place;
    QuadMap map;        // from shares of its viewport to the tab's
    bool tells = true;  // false: all of it counts
  };

  ScriptCall Into(const std::shared_ptr<Frame>& frame) const;
  json::object FollowArgs() const;
  Task<void> BeginInFrame(CallContext ctx, std::shared_ptr<Frame> frame);
  Task<std::vector<model::Rect>> EndInFrame(CallContext ctx, Watched watched) const;

  std::shared_ptr<Tab> tab_;
  Following following_;
  std::string token_;
  ScriptCall main_;
  std::vector<Watched> frames_;
};

// Paints over the areas. `captured` is the part of the page or window, in CSS pixels, that the
// picture shows.
void CoverAreas(Bitmap& picture, std::span<const model::Rect> areas, const model::Rect& captured);

// Takes secrets out of what is printed, in all frames, as long as it lives: a PDF has a layer of
// text that no painting covers.
class SecretCover {
 public:
  explicit SecretCover(std::shared_ptr<Tab> tab) : tab_(std::move(tab)) {}
  // Puts everything back, without waiting.
  ~SecretCover();
  SecretCover(const SecretCover&) = delete;
  SecretCover& operator=(const SecretCover&) = delete;

  // Fails when a frame cannot be covered that would be printed.
  Task<Result<void>> Begin(CallContext ctx);

 private:
  std::shared_ptr<Tab> tab_;
  std::vector<ScriptCall> covered_;
};

}  // namespace falconer::browser
