// Drag and drop. Pages that use the platform's own drags are served by drag events; all others by
// plain mouse moves. Which of the two it is shows after the first move with the button down.

#include <utility>

#include "browser/actions/actions.h"
#include "browser/actions/input.h"
#include "browser/actions/meet.h"
#include "browser/actions/pointer.h"
#include "browser/frames/frame_geometry.h"
#include "browser/waits/load_waits.h"

namespace falconer::browser {
namespace {

// Far enough that every page takes it for a drag and not for a click.
constexpr double kFirstMove = 8;
constexpr model::Point kNowhere = {-10, -10};

// The mouse while it drags. What it holds is let go however the drag ends.
class DraggingMouse {
 public:
  DraggingMouse(cdp::Session& page, model::MouseButton button, model::ModifierSet modifiers)
      : page_(page), button_(button), modifiers_(modifiers) {
    // The platform's own drag would take the mouse away from us: it is caught.
    page_.Post(cdp::InputSetInterceptDrags{.enabled = true});
    watch_ = page_.On<cdp::InputDragIntercepted>([this](const auto& event) { data_ = event.data; });
  }
  ~DraggingMouse() {
    if (held_at_) {
      if (data_)
        page_.Post(cdp::InputDispatchDragEvent{
            .type = "dragCancel", .x = held_at_->x, .y = held_at_->y, .data = *data_});
      LetGo();
    }
    page_.Post(cdp::InputSetInterceptDrags{.enabled = false});
  }
  DraggingMouse(const DraggingMouse&) = delete;
  DraggingMouse& operator=(const DraggingMouse&) = delete;

  // Takes hold of what is there and begins to move it.
  MouseReply Grab(model::Point at) {
    if (held_at_) LetGo();
    PostModifiersDown(page_, modifiers_);
    PostMove(page_, at, modifiers_);
    PostButton(page_, "mousePressed", {.at = at, .button = button_, .modifiers = modifiers_});
    return Move({at.x + kFirstMove, at.y + kFirstMove});
  }

  MouseReply Move(model::Point to) {
    held_at_ = to;
    return PostMove(page_, to, modifiers_, button_);
  }

  // Outside of the page: a button that goes up where it went down would be a click.
  void LetGo() {
    PostMove(page_, kNowhere, modifiers_, button_);
    Release(kNowhere);
  }

  MouseReply Release(model::Point at) {
    held_at_.reset();
    auto released =
        PostButton(page_, "mouseReleased", {.at = at, .button = button_, .modifiers = modifiers_});
    PostModifiersUp(page_, modifiers_);
    return released;
  }

  // What the platform drags, if this is a drag of its own.
  const std::optional<cdp::DragData>& data() const { return data_; }

 private:
  cdp::Session& page_;
  model::MouseButton button_;
  model::ModifierSet modifiers_;
  std::optional<model::Point> held_at_;
  std::optional<cdp::DragData> data_;
  Subscription watch_;
};

Task<Result<PreparedPoint>> DropPoint(CallContext ctx, ActionRun* run, BoundTarget target) {
  json::object arguments{{"action", "drop"}, {"stable", "fast"}};
  if (const auto& position = run->spec().drag_to->position)
    arguments["position"] = model::PointJson(*position);
  const auto source = run->outcome().element;
  const auto point =
      co_await PreparePoint(std::move(ctx), run, std::move(target), std::move(arguments));
  run->outcome().element = source;
  co_return point;
}

// Where it will be dropped, if that is there before anything is dragged: some pages show it only
// then, and it is asked about when it is met.
Task<Result<std::optional<model::ElementFacts>>> AskAboutDrop(CallContext ctx, ActionRun* run) {
  if (!run->hooks().meets) co_return std::nullopt;
  const auto target =
      co_await run->navigator().Bind(ctx, run->tab(), *run->spec().drag_to, MissingFrame::kFail);
  if (!target) co_return std::nullopt;
  const auto answer = co_await CallScript(ctx, target->place, "met", target->Arguments());
  if (!answer) co_return std::nullopt;
  CO_TRY_ASSIGN(auto met, MetIn(*run, target->place, *answer));
  if (met) CO_TRY(co_await AskAbout(run, *met));
  co_return std::move(met);
}

Task<Result<void>> Flush(CallContext ctx, ActionRun* run) {
  CO_TRY(co_await run->page().Send(std::move(ctx),
                                   cdp::RuntimeEvaluate{.expression = "0", .silent = true}));
  co_return Result<void>();
}

Task<Result<void>> DropPlatformDrag(CallContext ctx, ActionRun* run, DraggingMouse* mouse,
                                    model::Point to) {
  cdp::Session& page = run->page();
  cdp::InputDispatchDragEvent event{.type = "dragEnter",
                                    .x = to.x,
                                    .y = to.y,
                                    .data = *mouse->data(),
                                    .modifiers = ModifierBits(run->spec().modifiers)};
  page.Post(event);
  event.type = "dragOver";
  page.Post(event);
  event.type = "drop";
  auto dropped = page.Post(event);
  auto released = mouse->Release(to);
  CO_TRY(co_await dropped.Wait(ctx));
  CO_TRY(co_await released.Wait(ctx));
  co_return Result<void>();
}

Task<Result<void>> DropByMouse(CallContext ctx, ActionRun* run, DraggingMouse* mouse,
                               model::Point to) {
  mouse->Move(to);
  auto moved = mouse->Move(to);
  CO_TRY(co_await moved.Wait(ctx));
  CO_TRY(run->MayAct(ctx, "dropping"));
  auto released = mouse->Release(to);
  CO_TRY(co_await released.Wait(ctx));
  co_return Result<void>();
}

}  // namespace

ActionResult Drag(CallContext ctx, ActionRun* run) {
  CO_TRY_ASSIGN(const auto decided, co_await AskAboutDrop(ctx, run));
  const auto button = run->spec().button.value_or(model::MouseButton::kLeft);
  DraggingMouse mouse(run->page(), button, run->spec().modifiers);
  const auto grab = [&](model::Point at) { return mouse.Grab(at); };
  CO_TRY(co_await PointAndAct(ctx, run, {.action = "drag", .button = button}, grab));
  CO_TRY(co_await Flush(ctx, run));
  CO_TRY_ASSIGN(const auto target,
                co_await run->navigator().Bind(ctx, run->tab(), *run->spec().drag_to));
  CO_TRY_ASSIGN(const auto drop, co_await DropPoint(ctx, run, target));
  if (drop.met && drop.met != decided) CO_TRY(co_await AskAbout(run, *drop.met));
  const model::Point to = drop.at;
  CO_TRY(run->MayAct(ctx, "dropping"));
  CO_TRY(co_await (mouse.data() ? DropPlatformDrag(ctx, run, &mouse, to)
                                : DropByMouse(ctx, run, &mouse, to)));
  run->EndPhase(model::Phase::kAct);
  co_return co_await run->Settle(std::move(ctx), Heard::kNotYet);
}

}  // namespace falconer::browser
