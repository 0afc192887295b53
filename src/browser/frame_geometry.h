#pragma once
// Where a frame is in its tab. Scripts speak of places in their own frame; the mouse moves in the
// tab's viewport.

#include <memory>

#include "base/call_context.h"
#include "browser/frame.h"
#include "model/geometry.h"

namespace falconer::browser {

// A point of `frame` in the tab's viewport. Fails with kElementObscured when something else lies
// over the frame there, and with kElementNotVisible when the frame has no box.
Task<Result<model::Point>> PointInTab(CallContext ctx, std::shared_ptr<Frame> frame,
                                      model::Point in_frame);

// The content box of a child frame in the tab's viewport.
Task<Result<model::Rect>> BoxInTab(CallContext ctx, std::shared_ptr<Frame> frame);

}  // namespace falconer::browser
