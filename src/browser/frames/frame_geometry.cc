#include "browser/frames/frame_geometry.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "browser/frames/page_script.h"

namespace falconer::browser {
namespace {

// Half the side of the area that is brought into view around a point.
constexpr double kAroundPoint = 10;

// The browser refuses to speak of what is no longer there.
Error GoneIf(const Error& error, ErrorCode code, std::string_view message) {
  return error.code() == ErrorCode::kProtocolError ? Error(code, std::string(message)) : error;
}

// A frame's viewport, in its own pixels.
struct View {
  double width = 0;
  double height = 0;
  model::Point scroll;
};

Task<Result<View>> ViewOf(CallContext ctx, std::shared_ptr<Frame> frame) {
  CO_TRY_ASSIGN(const auto answer,
                co_await CallScript(std::move(ctx), ScriptCall::Into(frame), "viewport", {}));
  const json::object& scroll = answer.at("scroll").get_object();
  View view{.width = answer.at("width").to_number<double>(),
            .height = answer.at("height").to_number<double>(),
            .scroll = {scroll.at("x").to_number<double>(), scroll.at("y").to_number<double>()}};
  if (view.width <= 0 || view.height <= 0)
    co_return Fail(ErrorCode::kElementNotVisible, "the frame has no area");
  co_return view;
}

// Boxes are relative to the topmost frame of their process: that is where to go on from.
std::shared_ptr<Frame> TopOfProcess(std::shared_ptr<Frame> frame) {
  while (frame->parent != nullptr && frame->parent->session == frame->session)
    frame = frame->parent;
  return frame;
}

// The element that shows `frame` in its parent.
Task<Result<std::int64_t>> OwnerOf(CallContext ctx, std::shared_ptr<Frame> frame) {
  const auto session = frame->parent->session;
  const auto owner =
      co_await session->Send(std::move(ctx), cdp::DOMGetFrameOwner{.frame_id = frame->id});
  if (!owner)
    co_return std::unexpected(
        GoneIf(owner.error(), ErrorCode::kFrameDetached, "the frame is gone"));
  co_return owner->backend_node_id;
}

// Where the frame lies in the topmost frame of its parent's process.
Task<Result<QuadMap>> PlaceOf(CallContext ctx, std::shared_ptr<Frame> frame, std::int64_t owner) {
  const auto session = frame->parent->session;
  const auto box =
      co_await session->Send(std::move(ctx), cdp::DOMGetBoxModel{.backend_node_id = owner});
  if (!box)
    co_return std::unexpected(
        GoneIf(box.error(), ErrorCode::kElementNotVisible, "the frame has no box"));
  const auto map = QuadMap::Onto(box->model.content);
  if (!map) co_return Fail(ErrorCode::kElementNotVisible, "the frame has no area");
  co_return *map;
}

bool IsInside(const std::string& frame_id, const Frame& frame) {
  if (frame.id == frame_id) return true;
  return std::ranges::any_of(frame.children,
                             [&](const Frame* child) { return IsInside(frame_id, *child); });
}

// What is at the point instead of the frame, as the page describes it.
Task<Result<void>> Obscured(CallContext ctx, std::shared_ptr<Frame> top, model::Point at) {
  const auto there = co_await CallScript(std::move(ctx), ScriptCall::Into(top), "element_at",
                                         {{"x", at.x}, {"y", at.y}});
  if (!there && there.error().code() == ErrorCode::kElementNotVisible)
    co_return Fail(ErrorCode::kElementObscured, "the point in the frame is out of view");
  // Not heard in time, or the page is gone: that says nothing about what is there.
  CO_TRY(there);
  const std::string name = TextAt(*there, "description");
  co_return Fail(Error(ErrorCode::kElementObscured, name + " lies over the frame",
                       {{"interceptor", std::string_view(name)}}));
}

// The topmost thing at `at` in `top` must be the frame's element or something inside the frame.
Task<Result<void>> CheckUncovered(CallContext ctx, std::shared_ptr<Frame> frame, std::int64_t owner,
                                  std::shared_ptr<Frame> top, model::Point at) {
  CO_TRY_ASSIGN(const View view, co_await ViewOf(ctx, top));
  // The browser takes this point in the page, not in the window.
  const auto hit = co_await top->session->Send(
      ctx, cdp::DOMGetNodeForLocation{.x = std::lround(at.x + view.scroll.x),
                                      .y = std::lround(at.y + view.scroll.y),
                                      .ignore_pointer_events_none = false});
  const bool is_free = hit && (hit->backend_node_id == owner || IsInside(hit->frame_id, *frame));
  if (is_free) co_return Result<void>();
  if (!hit && hit.error().code() != ErrorCode::kProtocolError)
    co_return std::unexpected(hit.error());
  co_return co_await Obscured(std::move(ctx), std::move(top), at);
}

Task<Result<void>> Reveal(CallContext ctx, std::shared_ptr<Frame> frame, std::int64_t owner,
                          std::optional<model::Point> in_frame) {
  cdp::DOMScrollIntoViewIfNeeded command{.backend_node_id = owner};
  if (in_frame) {
    command.rect = cdp::Size{in_frame->x - kAroundPoint, in_frame->y - kAroundPoint,
                             2 * kAroundPoint, 2 * kAroundPoint};
  }
  const auto session = frame->parent->session;
  const auto done = co_await session->Send(std::move(ctx), std::move(command));
  if (!done)
    co_return std::unexpected(
        GoneIf(done.error(), ErrorCode::kElementNotVisible, "the frame has no box"));
  co_return Result<void>();
}

// One step outward: from a point of the frame to the same point in the topmost frame of its
// parent's process. A point that something covers may just be scrolled away, so it is brought into
// view once.
Task<Result<TabPoint>> StepOut(CallContext ctx, std::shared_ptr<Frame> frame, model::Point in_frame,
                               Cover cover) {
  const auto top = TopOfProcess(frame->parent);
  CO_TRY_ASSIGN(const View view, co_await ViewOf(ctx, frame));
  CO_TRY_ASSIGN(const std::int64_t owner, co_await OwnerOf(ctx, frame));
  const model::Point share{in_frame.x / view.width, in_frame.y / view.height};
  CO_TRY_ASSIGN(const QuadMap place, co_await PlaceOf(ctx, frame, owner));
  const model::Point at = place.Apply(share);
  const auto first = co_await CheckUncovered(ctx, frame, owner, top, at);
  if (first) co_return TabPoint{at};
  if (first.error().code() != ErrorCode::kElementObscured) co_return std::unexpected(first.error());
  CO_TRY(co_await Reveal(ctx, frame, owner, in_frame));
  CO_TRY_ASSIGN(const QuadMap revealed, co_await PlaceOf(ctx, frame, owner));
  const TabPoint now{.at = revealed.Apply(share), .has_scrolled = true};
  if (cover == Cover::kIgnored) co_return now;
  CO_TRY(co_await CheckUncovered(ctx, frame, owner, top, now.at));
  co_return now;
}

bool IsSamePlace(const QuadMap& a, const QuadMap& b) {
  const model::Point from = a.Apply(model::Point{0, 0});
  const model::Point to = b.Apply(model::Point{0, 0});
  return std::abs(from.x - to.x) < 1 && std::abs(from.y - to.y) < 1;
}

// Brings the frame's element into view. True when that moved it.
Task<Result<bool>> RevealOnce(CallContext ctx, std::shared_ptr<Frame> frame) {
  CO_TRY_ASSIGN(const std::int64_t owner, co_await OwnerOf(ctx, frame));
  CO_TRY_ASSIGN(const QuadMap before, co_await PlaceOf(ctx, frame, owner));
  CO_TRY(co_await Reveal(ctx, frame, owner, std::nullopt));
  CO_TRY_ASSIGN(const QuadMap after, co_await PlaceOf(ctx, frame, owner));
  co_return !IsSamePlace(before, after);
}

}  // namespace

Task<Result<TabPoint>> PointInTab(CallContext ctx, std::shared_ptr<Frame> frame,
                                  model::Point in_frame, Cover cover) {
  TabPoint point{in_frame};
  while (frame->parent != nullptr) {
    CO_TRY_ASSIGN(const TabPoint outer, co_await StepOut(ctx, frame, point.at, cover));
    point = {.at = outer.at, .has_scrolled = point.has_scrolled || outer.has_scrolled};
    frame = TopOfProcess(frame->parent);
  }
  co_return point;
}

Task<bool> RevealFrame(CallContext ctx, std::shared_ptr<Frame> frame) {
  bool has_moved = false;
  while (frame->parent != nullptr) {
    const auto moved = co_await RevealOnce(ctx, frame);
    if (!moved) break;
    has_moved = has_moved || *moved;
    frame = TopOfProcess(frame->parent);
  }
  co_return has_moved;
}

Task<Result<void>> WaitUntilDrawn(CallContext ctx, std::shared_ptr<Frame> frame) {
  while (frame->parent != nullptr) {
    frame = TopOfProcess(frame->parent);
    CO_TRY(co_await CallScript(ctx, ScriptCall::Into(frame), "wait",
                               {{"id", NewCallId()},
                                {"timeout_ms", PageTimeout(ctx)},
                                {"condition", {{"kind", "drawn"}}}}));
  }
  co_return Result<void>();
}

Task<Result<QuadMap>> MapToTab(CallContext ctx, std::shared_ptr<Frame> frame) {
  std::optional<QuadMap> map;
  while (frame->parent != nullptr) {
    CO_TRY_ASSIGN(const std::int64_t owner, co_await OwnerOf(ctx, frame));
    CO_TRY_ASSIGN(const QuadMap place, co_await PlaceOf(ctx, frame, owner));
    if (map) {
      CO_TRY_ASSIGN(const View view, co_await ViewOf(ctx, frame));
      map = map->Then(QuadMap::ToShares(view.width, view.height)).Then(place);
    } else {
      map = place;
    }
    frame = TopOfProcess(frame->parent);
  }
  if (!map) co_return Fail(ErrorCode::kInternalError, "the main frame lies in no other");
  co_return *map;
}

}  // namespace falconer::browser
