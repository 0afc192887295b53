#include "browser/driver.h"

#include <utility>

#include "browser/actions/actions.h"

namespace falconer::browser {
namespace {

using model::ActionType;

enum class WhileDialogOpen { kRefused, kAllowed };
// When the input hook is awaited: before anything else, or by the action itself once its target is
// ready, or once somebody has decided on what it meets, if anybody does.
enum class Asked { kAtOnce, kWhenReady, kWhenMet };
// An action on a page, one that brings a page, or one on the tab itself.
enum class Kind { kAction, kNavigation, kTab };

struct ActionRow {
  ActionType type;
  ActionResult (*perform)(CallContext, ActionRun*);
  Kind kind = Kind::kAction;
  // With a dialog open the page answers nothing: only what goes around it makes sense.
  WhileDialogOpen while_dialog_open = WhileDialogOpen::kRefused;
  Asked asked = Asked::kAtOnce;
};

using enum WhileDialogOpen;
using enum Asked;

constexpr ActionRow kActions[] = {
    {ActionType::kNavigate, &Navigate, Kind::kNavigation},
    {ActionType::kGoBack, &GoBack, Kind::kNavigation},
    {ActionType::kGoForward, &GoForward, Kind::kNavigation},
    {ActionType::kReload, &Reload, Kind::kNavigation},
    {ActionType::kClick, &Click, Kind::kAction, kRefused, kWhenReady},
    {ActionType::kDoubleClick, &DoubleClick, Kind::kAction, kRefused, kWhenReady},
    {ActionType::kHover, &Hover, Kind::kAction, kRefused, kWhenReady},
    {ActionType::kType, &Type, Kind::kAction, kRefused, kWhenMet},
    {ActionType::kFill, &Fill, Kind::kAction, kRefused, kWhenMet},
    {ActionType::kClear, &Clear, Kind::kAction, kRefused, kWhenMet},
    {ActionType::kPress, &Press, Kind::kAction, kRefused, kWhenMet},
    {ActionType::kSelect, &Select, Kind::kAction, kRefused, kWhenMet},
    {ActionType::kCheck, &Check, Kind::kAction, kRefused, kWhenMet},
    {ActionType::kUncheck, &Uncheck, Kind::kAction, kRefused, kWhenMet},
    {ActionType::kScroll, &Scroll},
    {ActionType::kDrag, &Drag, Kind::kAction, kRefused, kWhenMet},
    {ActionType::kUpload, &Upload, Kind::kAction, kRefused, kWhenMet},
    {ActionType::kDownloadTrigger, &TriggerDownload, Kind::kAction, kRefused, kWhenMet},
    {ActionType::kExtract, &Extract},
    {ActionType::kScreenshot, &Screenshot},
    {ActionType::kPdf, &PrintToPdf},
    {ActionType::kWaitOnly, &WaitOnly, Kind::kAction, kAllowed},
    {ActionType::kCustomJsRestricted, &RunCustomScript},
    {ActionType::kNewTab, &NewTab, Kind::kNavigation, kAllowed},
    {ActionType::kSwitchTab, &SwitchTab, Kind::kTab, kAllowed},
    {ActionType::kCloseTab, &CloseTab, Kind::kTab, kAllowed},
    {ActionType::kHandleDialog, &HandleDialog, Kind::kAction, kAllowed},
    {ActionType::kSubmit, &Submit, Kind::kAction, kRefused, kWhenMet},
    {ActionType::kPurchase, &Click, Kind::kAction, kRefused, kWhenReady},
    {ActionType::kFocus, &Focus, Kind::kAction, kRefused, kWhenMet},
    {ActionType::kSetViewport, &SetViewport},
};

const ActionRow* FindRow(ActionType type) {
  for (const ActionRow& row : kActions) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

// A crashed tab can still be left, closed and navigated: that brings it back.
Result<void> CanAct(Tab& tab, const ActionRow& row) {
  const bool has_crashed = tab.phase() == TabPhase::kCrashed;
  if (row.kind == Kind::kAction || !has_crashed) TRY(tab.Alive());
  if (row.kind != Kind::kTab && !tab.frames().main())
    return Fail(ErrorCode::kTabCrashed,
                "tab " + tab.id().value() + " crashed before it had a page");
  if (row.while_dialog_open == kRefused) TRY(tab.dialogs().NoneOpen());
  return {};
}

}  // namespace

Driver::Driver(Session& session) : Driver(session, Limits()) {
}

Driver::Driver(Session& session, const Limits& limits)
    : session_(session), navigator_(session), limits_(limits) {
}

Task<Result<std::shared_ptr<Tab>>> Driver::TabFor(CallContext ctx, ActionType type, TabId id) {
  if (type == ActionType::kNewTab) {
    CO_TRY(session_.Alive());
    co_return co_await session_.tabs().Open(std::move(ctx));
  }
  co_return navigator_.TabFor(type == ActionType::kSwitchTab ? TabId() : id);
}

bool Driver::AsksWhenReady(ActionType type) {
  const ActionRow* row = FindRow(type);
  return row != nullptr && row->asked == kWhenReady;
}

Task<Result<model::ActionOutcome>> Driver::Perform(CallContext ctx, model::ActionSpec spec,
                                                   std::optional<Duration> bind, InputHooks hooks) {
  CO_TRY(spec.Validate());
  const ActionRow* row = FindRow(spec.type);
  if (row == nullptr) {
    co_return Fail(ErrorCode::kUnsupported,
                   std::string(model::ActionName(spec.type)) + " is not an action on a page");
  }
  const Duration limit =
      row->kind == Kind::kNavigation ? limits_.navigation_timeout : limits_.action_timeout;
  const CallContext bounded = ctx.WithTimeout(
      spec.timeout.value_or(std::chrono::duration_cast<std::chrono::milliseconds>(limit)));
  CO_TRY(bounded.StillWanted(model::ActionName(spec.type)));
  CO_TRY_ASSIGN(const auto tab, co_await TabFor(bounded, spec.type, spec.tab_id));
  CO_TRY(co_await tab->Ready(bounded));
  CO_TRY(CanAct(*tab, *row));
  ActionRun run(session_, navigator_, tab, std::move(spec), std::move(hooks));
  if (bind) run.BindUntil(Deadline::After(ctx.clock().Now(), *bind));
  const bool asks_now = row->asked == kAtOnce || (row->asked == kWhenMet && !run.is_decided_late());
  if (asks_now) CO_TRY(co_await run.BeforeInput());
  const auto done = co_await row->perform(bounded, &run);
  if (!done) co_return std::unexpected(Error(done.error()).In(model::ActionName(run.spec().type)));
  run.NoteRefused();
  co_return std::move(run.outcome());
}

}  // namespace falconer::browser
