// Scrolling: by script where something can scroll, by the wheel where only that is listened to.

#include <utility>

#include "browser/actions/actions.h"
#include "browser/actions/input.h"
#include "browser/waits/load_waits.h"

namespace falconer::browser {
namespace {

json::object ScrollArguments(const model::ScrollSpec& spec) {
  json::object arguments{{"dx", spec.dx}, {"dy", spec.dy}};
  if (spec.to) arguments["to"] = NameIn(model::kScrollTargets, *spec.to);
  return arguments;
}

model::Point MiddleOf(const Viewport& viewport) {
  return {viewport.width / 2.0, viewport.height / 2.0};
}

bool HasNotMoved(const json::object& answer) {
  const json::value& moved = answer.at("moved");
  return moved.at("x").to_number<double>() == 0 && moved.at("y").to_number<double>() == 0;
}

Task<Result<json::object>> ScrollByScript(CallContext ctx, ActionRun* run, json::object arguments) {
  if (run->spec().target) {
    CO_TRY_ASSIGN(auto scrolled,
                  co_await run->BindAndCall(std::move(ctx), "scroll", std::move(arguments)));
    co_return std::move(scrolled.answer);
  }
  CO_TRY(co_await WaitForPendingNavigation(ctx, run->tab()));
  run->EndPhase(model::Phase::kBind);
  co_return co_await CallScript(std::move(ctx), ScriptCall::Into(run->tab()->frames().main()),
                                "scroll", std::move(arguments));
}

}  // namespace

ActionResult Scroll(CallContext ctx, ActionRun* run) {
  const auto spec =
      run->spec().scroll.value_or(model::ScrollSpec{.to = model::ScrollTo::kIntoView});
  CO_TRY_ASSIGN(auto answer, co_await ScrollByScript(ctx, run, ScrollArguments(spec)));
  if (!spec.to && HasNotMoved(answer)) {
    CO_TRY(run->MayAct(ctx, "scrolling"));
    auto turned = PostWheel(run->page(), MiddleOf(run->tab()->viewport()), spec.dx, spec.dy);
    CO_TRY(co_await turned.Wait(ctx));
  }
  run->outcome().extracted = std::move(answer);
  run->EndPhase(model::Phase::kAct);
  co_return co_await run->Settle(std::move(ctx), Heard::kYes);
}

}  // namespace falconer::browser
