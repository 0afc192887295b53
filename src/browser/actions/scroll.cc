// Scrolling: by script where something can scroll, by the wheel where only that is listened to.

#include <utility>

#include "browser/actions/actions.h"
#include "browser/input.h"
#include "browser/load_waits.h"

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

}  // namespace

ActionResult Scroll(CallContext ctx, ActionRun* run) {
  const auto spec = run->spec().scroll.value_or(model::ScrollSpec{.to = model::ScrollTo::kIntoView});
  CO_TRY(co_await WaitForPendingNavigation(ctx, run->tab()));
  auto place = ScriptCall::Into(run->tab()->frames().main());
  json::object arguments = ScrollArguments(spec);
  if (run->spec().target) {
    CO_TRY_ASSIGN(const auto target, co_await run->BindTarget(ctx));
    arguments["target"] = target.argument;
    place = target.place;
  }
  run->EndPhase(model::Phase::kBind);
  CO_TRY_ASSIGN(auto answer, co_await CallScript(ctx, place, "scroll", std::move(arguments)));
  const json::value* moved = answer.if_contains("moved");
  if (!spec.to && moved != nullptr && *moved == false) {
    CO_TRY(ctx.StillWanted("scrolling"));
    auto turned = PostWheel(run->page(), MiddleOf(run->tab()->viewport()), spec.dx, spec.dy);
    CO_TRY(co_await turned.Wait(ctx));
  }
  run->outcome().extracted = std::move(answer);
  run->EndPhase(model::Phase::kAct);
  co_return co_await run->Settle(std::move(ctx), Heard::kYes);
}

}  // namespace falconer::browser
