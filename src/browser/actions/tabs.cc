// Tabs, dialogs and the window.

#include <utility>

#include "browser/actions/actions.h"

namespace falconer::browser {

// The tab has been opened already: it is the one the run is for.
ActionResult NewTab(CallContext ctx, ActionRun* run) {
  run->outcome().extracted = json::object{{"tab_id", std::string_view(run->tab()->id().value())}};
  if (!run->spec().url) co_return Result<void>();
  co_return co_await Navigate(std::move(ctx), run);
}

ActionResult SwitchTab(CallContext /*ctx*/, ActionRun* run) {
  CO_TRY_ASSIGN(const auto tab, run->session().tabs().Switch(run->spec().tab_id));
  run->outcome().extracted = json::object{{"tab_id", std::string_view(tab->id().value())},
                                          {"url", std::string_view(tab->url())}};
  co_return Result<void>();
}

ActionResult CloseTab(CallContext ctx, ActionRun* run) {
  return run->session().tabs().Close(std::move(ctx), run->tab()->id());
}

ActionResult HandleDialog(CallContext ctx, ActionRun* run) {
  const auto& spec = *run->spec().dialog;
  CO_TRY_ASSIGN(
      const auto answered,
      co_await run->tab()->dialogs().Answer(
          ctx, spec.accept ? DialogAnswer::kAccept : DialogAnswer::kDismiss, spec.prompt_text));
  CO_TRY(co_await run->Settle(std::move(ctx), Heard::kNotYet));
  run->outcome().dialog = model::DialogEvidence{
      .type = ValueIn(model::kDialogTypes, answered.type).value_or(model::DialogType::kAlert),
      .message = answered.message};
  co_return Result<void>();
}

ActionResult SetViewport(CallContext ctx, ActionRun* run) {
  const auto& spec = *run->spec().viewport;
  run->tab()->SetViewport({.width = spec.width, .height = spec.height, .scale = spec.scale});
  co_return co_await run->Settle(std::move(ctx), Heard::kNotYet);
}

ActionResult WaitOnly(CallContext /*ctx*/, ActionRun* /*run*/) {
  co_return Result<void>();
}

}  // namespace falconer::browser
