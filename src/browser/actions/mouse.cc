// Clicking and hovering. The point is found, checked and guarded in the page in one call; the
// guard sees at the first trusted event whether the right element is hit and stops everything if
// not, so nothing else is ever clicked.

#include <utility>

#include "browser/actions/actions.h"
#include "browser/actions/input.h"
#include "browser/actions/pointer.h"

namespace falconer::browser {
namespace {

ActionResult ClickTimes(CallContext ctx, ActionRun* run, int count) {
  const model::ActionSpec spec = run->spec();
  const auto button = spec.button.value_or(model::MouseButton::kLeft);
  const auto click = [&](model::Point at) {
    return PostClick(run->page(),
                     {.at = at, .button = button, .count = count, .modifiers = spec.modifiers});
  };
  CO_TRY(
      co_await PointAndAct(ctx, run, {.action = "click", .button = button, .count = count}, click));
  co_return co_await run->Settle(std::move(ctx), Heard::kYes);
}

}  // namespace

ActionResult Click(CallContext ctx, ActionRun* run) {
  return ClickTimes(std::move(ctx), run, run->spec().click_count.value_or(1));
}

ActionResult DoubleClick(CallContext ctx, ActionRun* run) {
  return ClickTimes(std::move(ctx), run, 2);
}

ActionResult Hover(CallContext ctx, ActionRun* run) {
  const model::ActionSpec spec = run->spec();
  const auto move = [&](model::Point at) { return PostMove(run->page(), at, spec.modifiers); };
  CO_TRY(co_await PointAndAct(ctx, run, {.action = "hover"}, move));
  co_return co_await run->Settle(std::move(ctx), Heard::kYes);
}

}  // namespace falconer::browser
