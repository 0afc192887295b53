// Drag and drop. Pages that use the platform's own drags are served by drag events; all others by
// plain mouse moves. Which of the two it is shows after the first move with the button down.

#include <utility>

#include "browser/actions/actions.h"
#include "browser/frame_geometry.h"
#include "browser/input.h"
#include "browser/load_waits.h"

namespace falconer::browser {
namespace {

// Far enough that every page takes it for a drag and not for a click.
constexpr double kFirstMove = 8;

// Catches the drag that the platform would do.
class DragWatch {
 public:
  explicit DragWatch(cdp::Session& page) : page_(page) {
    page_.Post(cdp::InputSetInterceptDrags{.enabled = true});
    subscription_ = page_.On<cdp::InputDragIntercepted>([this](const auto& event) { data_ = event.data; });
  }
  ~DragWatch() { page_.Post(cdp::InputSetInterceptDrags{.enabled = false}); }
  DragWatch(const DragWatch&) = delete;
  DragWatch& operator=(const DragWatch&) = delete;

  const std::optional<cdp::DragData>& data() const { return data_; }

 private:
  cdp::Session& page_;
  std::optional<cdp::DragData> data_;
  Subscription subscription_;
};

Task<Result<model::Point>> PointAt(CallContext ctx, ActionRun* run, BoundTarget target, std::string action) {
  json::object arguments = target.Arguments();
  arguments["action"] = std::string_view(action);
  arguments["token"] = "drag";
  arguments["stable"] = "fast";
  arguments["timeout_ms"] = PageTimeout(ctx);
  if (run->spec().force) arguments["force"] = true;
  CO_TRY_ASSIGN(const auto answer, co_await CallScript(ctx, target.place, "prepare", std::move(arguments)));
  if (action == "drag") run->NoteElement(target, answer);
  const json::object& point = answer.at("point").get_object();
  co_return co_await PointInTab(std::move(ctx), target.place.frame,
                                {point.at("x").to_number<double>(), point.at("y").to_number<double>()},
                                run->spec().force ? Cover::kIgnored : Cover::kRefused);
}

Task<Result<void>> Flush(CallContext ctx, ActionRun* run) {
  CO_TRY(co_await run->page().Send(std::move(ctx), cdp::RuntimeEvaluate{.expression = "0", .silent = true}));
  co_return Result<void>();
}

Task<Result<void>> DropPlatformDrag(CallContext ctx, ActionRun* run, cdp::DragData data, model::Point to) {
  cdp::Session& page = run->page();
  cdp::InputDispatchDragEvent event{.type = "dragEnter", .x = to.x, .y = to.y, .data = std::move(data)};
  page.Post(event);
  event.type = "dragOver";
  page.Post(event);
  event.type = "drop";
  auto dropped = page.Post(event);
  auto released = PostButton(page, "mouseReleased", {.at = to});
  CO_TRY(co_await dropped.Wait(ctx));
  CO_TRY(co_await released.Wait(ctx));
  co_return Result<void>();
}

Task<Result<void>> DropByMouse(CallContext ctx, ActionRun* run, model::Point to) {
  cdp::Session& page = run->page();
  PostMove(page, to, {}, "left");
  auto moved = PostMove(page, to, {}, "left");
  CO_TRY(co_await moved.Wait(ctx));
  auto released = PostButton(page, "mouseReleased", {.at = to});
  CO_TRY(co_await released.Wait(ctx));
  co_return Result<void>();
}

}  // namespace

ActionResult Drag(CallContext ctx, ActionRun* run) {
  CO_TRY(co_await WaitForPendingNavigation(ctx, run->tab()));
  CO_TRY_ASSIGN(const auto source, co_await run->BindTarget(ctx));
  CO_TRY_ASSIGN(const auto target, co_await run->navigator().Bind(ctx, run->tab(), *run->spec().drag_to));
  run->EndPhase(model::Phase::kBind);
  CO_TRY_ASSIGN(const auto from, co_await PointAt(ctx, run, source, "drag"));
  run->outcome().point = from;
  run->EndPhase(model::Phase::kPrepare);
  CO_TRY(ctx.StillWanted("dragging"));
  const DragWatch watch(run->page());
  PostMove(run->page(), from, {});
  PostButton(run->page(), "mousePressed", {.at = from});
  auto moved = PostMove(run->page(), {from.x + kFirstMove, from.y + kFirstMove}, {}, "left");
  CO_TRY(co_await moved.Wait(ctx));
  CO_TRY(co_await Flush(ctx, run));
  CO_TRY_ASSIGN(const auto to, co_await PointAt(ctx, run, target, "drop"));
  const auto dropped = watch.data() ? co_await DropPlatformDrag(ctx, run, *watch.data(), to)
                                    : co_await DropByMouse(ctx, run, to);
  CO_TRY(dropped);
  run->EndPhase(model::Phase::kAct);
  co_return co_await run->Settle(std::move(ctx), Heard::kNotYet);
}

}  // namespace falconer::browser
