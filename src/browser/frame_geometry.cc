#include "browser/frame_geometry.h"

#include <algorithm>
#include <cmath>

namespace falconer::browser {
namespace {

// The browser gives boxes relative to the topmost frame of the same process.
struct Owner {
  std::int64_t node = 0;
  model::Rect box;
};

Task<Result<Owner>> OwnerOf(CallContext ctx, std::shared_ptr<Frame> frame) {
  cdp::Session& session = *frame->parent->session;
  CO_TRY_ASSIGN(const auto owner, co_await session.Send(ctx, cdp::DOMGetFrameOwner{.frame_id = frame->id}));
  CO_TRY_ASSIGN(const auto box, co_await session.Send(ctx, cdp::DOMGetBoxModel{.backend_node_id = owner.backend_node_id}));
  const auto& corners = box.model.content;
  if (corners.size() < 6) co_return Fail(ErrorCode::kElementNotVisible, "the frame has no box");
  co_return Owner{owner.backend_node_id,
                  {corners[0], corners[1], corners[4] - corners[0], corners[5] - corners[1]}};
}

bool IsInside(const std::string& frame_id, const Frame& frame) {
  if (frame.id == frame_id) return true;
  return std::ranges::any_of(frame.children, [&](const Frame* child) { return IsInside(frame_id, *child); });
}

// The topmost thing at `at` in the owner's process must be the frame itself or be inside it.
Task<Result<void>> CheckUncovered(CallContext ctx, std::shared_ptr<Frame> frame, Owner owner,
                                  model::Point at) {
  cdp::Session& session = *frame->parent->session;
  CO_TRY_ASSIGN(const auto hit, co_await session.Send(ctx, cdp::DOMGetNodeForLocation{
                                                               .x = std::lround(at.x),
                                                               .y = std::lround(at.y),
                                                               .ignore_pointer_events_none = false}));
  if (hit.backend_node_id == owner.node || IsInside(hit.frame_id, *frame)) co_return Result<void>();
  co_return Fail(ErrorCode::kElementObscured, "something lies over the frame");
}

// Boxes are relative to the topmost frame of their process: that is where to go on from.
std::shared_ptr<Frame> TopOfProcess(Frame* frame) {
  while (frame->parent != nullptr && frame->parent->session == frame->session) frame = frame->parent;
  return frame->shared_from_this();
}

}  // namespace

Task<Result<model::Point>> PointInTab(CallContext ctx, std::shared_ptr<Frame> frame,
                                      model::Point in_frame) {
  model::Point at = in_frame;
  while (frame->parent != nullptr) {
    CO_TRY_ASSIGN(const Owner owner, co_await OwnerOf(ctx, frame));
    at = {at.x + owner.box.x, at.y + owner.box.y};
    CO_TRY(co_await CheckUncovered(ctx, frame, owner, at));
    frame = TopOfProcess(frame->parent);
  }
  co_return at;
}

Task<Result<model::Rect>> BoxInTab(CallContext ctx, std::shared_ptr<Frame> frame) {
  model::Rect box;
  for (bool is_first = true; frame->parent != nullptr; is_first = false) {
    CO_TRY_ASSIGN(const Owner owner, co_await OwnerOf(ctx, frame));
    if (is_first) box = {0, 0, owner.box.width, owner.box.height};
    box.x += owner.box.x;
    box.y += owner.box.y;
    frame = TopOfProcess(frame->parent);
  }
  co_return box;
}

}  // namespace falconer::browser
