#pragma once
// Where a frame is in its tab. Scripts speak of places in their own frame; the mouse moves in the
// tab's viewport. Pages may scroll, scale, turn and cover the frames in between.

#include <memory>

#include "base/async/call_context.h"
#include "browser/frames/frame.h"
#include "browser/frames/quad_map.h"

namespace falconer::browser {

enum class Cover { kRefused, kIgnored };

struct TabPoint {
  model::Point at;
  // Something had to be scrolled to show it.
  bool has_scrolled = false;
};

// A point of `frame` in the tab's viewport; brings it into view where it is not. Unless covers are
// ignored, fails with kElementObscured when something else lies over the frame there. Fails with
// kElementNotVisible when the frame has no box and kFrameDetached when it is gone.
Task<Result<TabPoint>> PointInTab(CallContext ctx, std::shared_ptr<Frame> frame,
                                  model::Point in_frame, Cover cover);

// Scrolls the pages around `frame` so that it shows, as far as it can be shown: browsers do not
// draw frames that are out of view, so nothing in them would ever come to rest. Returns whether it
// moved.
Task<bool> RevealFrame(CallContext ctx, std::shared_ptr<Frame> frame);

// Waits until the pages around `frame` have been drawn. What scrolls in one process goes on
// scrolling in the next a little later, and the mouse finds its way by what was drawn last.
Task<Result<void>> WaitUntilDrawn(CallContext ctx, std::shared_ptr<Frame> frame);

// From shares of a child frame's viewport to pixels of the tab's. Fails like PointInTab.
Task<Result<QuadMap>> MapToTab(CallContext ctx, std::shared_ptr<Frame> frame);

}  // namespace falconer::browser
