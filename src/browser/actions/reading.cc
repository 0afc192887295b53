// Reading from a page: extraction and custom expressions.

#include <utility>

#include "browser/actions/actions.h"
#include "browser/waits/load_waits.h"

namespace falconer::browser {

ActionResult Extract(CallContext ctx, ActionRun* run) {
  const model::ExtractSpec what = run->spec().extract.value_or(model::ExtractSpec());
  json::object arguments{{"what", NameIn(model::kExtractKinds, what.what)},
                         {"many", what.many},
                         {"limit", what.limit},
                         {"max_chars", what.max_chars}};
  if (!what.attribute.empty()) arguments["name"] = std::string_view(what.attribute);
  CO_TRY_ASSIGN(auto read,
                co_await run->BindAndCall(std::move(ctx), "extract", std::move(arguments)));
  run->outcome().extracted = std::move(read.answer);
  run->EndPhase(model::Phase::kRead);
  co_return Result<void>();
}

namespace {

// A script reaches from one frame into the others of its origin.
Result<void> CheckNoSecretIn(Tab& tab) {
  for (const auto& frame : tab.frames().All()) TRY(frame->document->CheckNoSecret());
  return {};
}

}  // namespace

ActionResult RunCustomScript(CallContext ctx, ActionRun* run) {
  CO_TRY(co_await WaitForPendingNavigation(ctx, run->tab()));
  CO_TRY(CheckNoSecretIn(*run->tab()));
  auto place = ScriptCall::Into(run->tab()->frames().main());
  if (run->spec().target) {
    CO_TRY_ASSIGN(const auto target, co_await run->BindTarget(ctx));
    place = target.place;
  }
  CO_TRY_ASSIGN(run->outcome().extracted,
                co_await EvaluateGuest(ctx, std::move(place), *run->spec().js_expression,
                                       run->spec().js_argument.value_or(json::value())));
  run->EndPhase(model::Phase::kAct);
  co_return co_await run->Settle(std::move(ctx), Heard::kYes);
}

}  // namespace falconer::browser
