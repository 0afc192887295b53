// Reading from a page: extraction and custom expressions.

#include <utility>

#include "browser/actions/actions.h"
#include "browser/load_waits.h"

namespace falconer::browser {

ActionResult Extract(CallContext ctx, ActionRun* run) {
  const model::ExtractSpec what = run->spec().extract.value_or(model::ExtractSpec());
  CO_TRY(co_await WaitForPendingNavigation(ctx, run->tab()));
  BoundTarget target{
      .tab = run->tab(),
      .place = ScriptCall::Into(run->tab()->frames().main()),
      .argument = {{"steps", json::array{json::object{{"engine", "css"}, {"body", "body"}}}}}};
  if (run->spec().target) {
    CO_TRY_ASSIGN(target, co_await run->BindTarget(ctx));
  }
  run->EndPhase(model::Phase::kBind);
  json::object arguments{{"what", NameIn(model::kExtractKinds, what.what)},
                         {"many", what.many},
                         {"limit", what.limit},
                         {"max_chars", what.max_chars}};
  if (!what.attribute.empty()) arguments["name"] = std::string_view(what.attribute);
  CO_TRY_ASSIGN(auto answer, co_await run->CallOnTarget(std::move(ctx), std::move(target),
                                                        "extract", std::move(arguments)));
  run->outcome().extracted = std::move(answer);
  run->EndPhase(model::Phase::kRead);
  co_return Result<void>();
}

ActionResult RunCustomScript(CallContext ctx, ActionRun* run) {
  CO_TRY(co_await WaitForPendingNavigation(ctx, run->tab()));
  auto place = ScriptCall::Into(run->tab()->frames().main());
  if (const auto& target = run->spec().target; target && !target->fid.empty()) {
    const auto frame = run->tab()->frames().FindByFid(target->fid);
    if (!frame) co_return Fail(ErrorCode::kFrameDetached, "no frame " + target->fid);
    place = ScriptCall::Into(frame);
  }
  CO_TRY_ASSIGN(run->outcome().extracted,
                co_await EvaluateGuest(ctx, std::move(place), *run->spec().js_expression,
                                       run->spec().js_argument.value_or(json::value())));
  run->EndPhase(model::Phase::kAct);
  co_return co_await run->Settle(std::move(ctx), Heard::kYes);
}

}  // namespace falconer::browser
