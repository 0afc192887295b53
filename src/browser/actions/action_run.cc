#include "browser/actions/action_run.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "browser/network/egress_trouble.h"
#include "browser/waits/load_waits.h"
#include "cdp/connection.h"

namespace falconer::browser {
namespace {

// When the page must not begin any more, by the clock on the wall: the page shares no other with
// us.
std::int64_t WallDeadline(const CallContext& ctx) {
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      ctx.clock().WallNow().time_since_epoch());
  return now.count() + PageTimeout(ctx);
}

}  // namespace

ActionRun::ActionRun(Session& session, Navigator& navigator, std::shared_ptr<Tab> tab,
                     model::ActionSpec spec, InputHooks hooks)
    : session_(session),
      navigator_(navigator),
      tab_(std::move(tab)),
      spec_(std::move(spec)),
      hooks_(std::move(hooks)),
      clock_(tab_->session()->connection().clock()),
      phase_start_(clock_.Now()),
      dialogs_before_(tab_->dialogs().last_seq()),
      refused_before_(tab_->gate().last_seq()),
      egress_before_(EgressMarkOf(session)),
      downloads_before_(session.downloads().last_seq()),
      popup_watch_(session.tabs().on_opened().Subscribe([this](const std::shared_ptr<Tab>& opened) {
        if (opened->opener() == tab_->id()) NotePopup(*opened);
      })) {
  outcome_.type = spec_.type;
  if (const auto main = tab_->frames().main()) document_before_ = main->document;
}

void ActionRun::NotePopup(Tab& popup) {
  popups_.push_back(popup.id());
  popup_dialogs_.push_back(
      popup.dialogs().OnOpened([this, &dialogs = popup.dialogs()](const Dialog&) {
        if (const auto none = dialogs.NoneOpen(); !none) popup_asks_.Cancel(none.error());
      }));
}

Task<Result<void>> ActionRun::BeforeInput() {
  if (const auto before = std::exchange(hooks_.before, nullptr)) {
    CO_TRY_ASSIGN(seen_, co_await before());
  }
  co_return Result<void>();
}

Result<void> ActionRun::MayAct(const CallContext& ctx, std::string_view what) const {
  TRY(ctx.StillWanted(what));
  return tab_->dialogs().NoneOpen();
}

CallContext ActionRun::UntilPopupAsks(const CallContext& ctx) {
  popup_asks_.Follow(ctx.cancel());
  return ctx.WithCancel(popup_asks_.token());
}

BoundTarget ActionRun::WholePage() const {
  // Markup begins with the document, which need not have a body.
  const bool is_markup = spec_.extract && spec_.extract->what == model::ExtractWhat::kHtml;
  const json::object step{{"engine", "css"}, {"body", is_markup ? ":root" : "body"}};
  return {.tab = tab_,
          .place = ScriptCall::Into(tab_->frames().main()),
          .argument = {{"steps", json::array{step}}}};
}

Task<Result<BoundTarget>> ActionRun::BindTarget(CallContext ctx) {
  if (!spec_.target) co_return WholePage();
  CO_TRY_ASSIGN(auto bound, co_await navigator_.BindCandidates(ctx, tab_, *spec_.target));
  for (BoundTarget& candidate : bound) {
    if (bound.size() == 1) break;
    const auto found = co_await navigator_.Query(ctx, candidate, 1);
    if (found && found->at("count").to_number<int>() > 0) co_return std::move(candidate);
  }
  co_return std::move(bound.front());
}

Task<Result<ActionRun::Called>> ActionRun::BindAndCall(CallContext ctx, std::string function,
                                                       json::object arguments) {
  while (true) {
    CO_TRY(co_await WaitForPendingNavigation(ctx, tab_));
    CO_TRY_ASSIGN(auto target, co_await BindTarget(ctx));
    EndPhase(model::Phase::kBind);
    auto answer = co_await CallOnTarget(ctx, target, function, arguments);
    if (answer) co_return Called{std::move(target), *std::move(answer)};
    if (!IsDocumentGone(answer.error().code()))
      co_return std::unexpected(std::move(answer).error());
    CO_TRY(co_await WaitUntilReplaced(ctx, tab_, target.place));
  }
}

Task<Result<json::object>> ActionRun::CallOnTarget(CallContext ctx, BoundTarget target,
                                                   std::string function, json::object arguments) {
  ctx = ctx.WithDeadline(bind_until_);
  arguments["target"] = target.argument;
  arguments["timeout_ms"] = PageTimeout(ctx);
  arguments["not_after"] = WallDeadline(ctx);
  if (!arguments.contains("token")) arguments["token"] = NewCallId();
  if (spec_.force) arguments["force"] = true;
  const std::string token(arguments.at("token").get_string());
  auto answer = co_await CallScript(ctx, target.place, std::move(function), std::move(arguments));
  // Whatever the page still waits for must not happen any more.
  if (!answer && !ctx.StillWanted("the answer"))
    PostScript(target.place, "cancel_wait", {{"id", std::string_view(token)}});
  CO_TRY(answer);
  NoteElement(target, *answer);
  co_return *std::move(answer);
}

void ActionRun::NoteElement(const BoundTarget& target, const json::object& answer) {
  model::MatchedElement element{.ref = TextAt(answer, "ref"), .frame = target.place.frame->fid};
  if (const json::value* info = answer.if_contains("info"); info != nullptr && info->is_object()) {
    element.role = TextAt(info->get_object(), "role");
    element.name = TextAt(info->get_object(), "name");
    element.description = TextAt(info->get_object(), "description");
  }
  outcome_.element = std::move(element);
}

Task<Result<void>> ActionRun::Settle(CallContext ctx, Heard heard) {
  if (heard == Heard::kNotYet) {
    const auto flushed =
        co_await page().Send(ctx, cdp::RuntimeEvaluate{.expression = "0", .silent = true});
    if (!flushed) CO_TRY(ctx.StillWanted("the page to take the input"));
  }
  if (!tab_->dialogs().open()) {
    const auto committed = co_await WaitForPendingNavigation(ctx, tab_);
    // A tab that closed itself is an outcome, not a failure of what closed it.
    if (!committed && tab_->Alive()) co_return committed;
  }
  NoteNavigation();
  NoteDialog();
  NotePopups();
  NoteDownloads();
  EndPhase(model::Phase::kSettle);
  co_return Result<void>();
}

void ActionRun::NoteNavigation() {
  const auto main = tab_->frames().main();
  if (!main || (main->document == document_before_ && !main->is_navigating())) return;
  const Document& now = *main->document;
  outcome_.navigation = model::NavigationEvidence{.requested = true,
                                                  .committed = main->document != document_before_,
                                                  .url = now.url,
                                                  .status = now.status.value_or(0),
                                                  .loader = now.loader_id};
}

void ActionRun::NoteDialog() {
  for (const Dialog& dialog : tab_->dialogs().recent()) {
    if (dialog.seq <= dialogs_before_) continue;
    outcome_.dialog = model::DialogEvidence{
        .type = ValueIn(model::kDialogTypes, dialog.type).value_or(model::DialogType::kAlert),
        .message = dialog.message};
  }
}

void ActionRun::NotePopups() {
  outcome_.popups = popups_;
}

void ActionRun::NoteDownloads() {
  outcome_.downloads.clear();
  for (const Download& download : session_.downloads().Since(downloads_before_)) {
    outcome_.downloads.push_back(download.id);
  }
}

void ActionRun::NoteRefused() {
  auto refused = tab_->gate().Since(refused_before_);
  for (const TabId& id : popups_) {
    if (const auto popup = session_.tabs().Find(id))
      std::ranges::move((*popup)->gate().Since(0), std::back_inserter(refused));
  }
  for (model::RefusedEvidence& stopped : EgressRefusals(session_, egress_before_)) {
    if (outcome_.refused.size() == model::kMaxRefusedEvidence) return;
    outcome_.refused.push_back(std::move(stopped));
  }
  for (RefusedRequest& request : refused) {
    if (outcome_.refused.size() == model::kMaxRefusedEvidence) return;
    outcome_.refused.push_back({.use = std::string(NameIn(kRequestUses, request.facts.use)),
                                .url = std::move(request.facts.url),
                                .rule = std::move(request.verdict.rule),
                                .reason = std::move(request.verdict.reason)});
  }
}

std::optional<Error> ActionRun::RefusedPage() const {
  const auto refused = tab_->gate().PageSince(refused_before_);
  if (!refused) return std::nullopt;
  return RefusalError(refused->facts, refused->verdict);
}

std::optional<Error> ActionRun::EgressTrouble(const std::string& url,
                                              std::optional<int> status) const {
  return EgressTroubleAt(session_, egress_before_, url, status);
}

void ActionRun::NoteAttempt(const Error& cause, TimePoint since) {
  outcome_.attempts.push_back(
      {.cause = cause.code(),
       .waited = std::chrono::duration_cast<std::chrono::milliseconds>(clock_.Now() - since)});
}

void ActionRun::EndPhase(model::Phase phase) {
  const TimePoint now = clock_.Now();
  const auto took =
      std::chrono::duration_cast<std::chrono::microseconds>(now - std::exchange(phase_start_, now));
  for (model::PhaseTime& known : outcome_.timings) {
    if (known.phase == phase) {
      known.took += took;
      return;
    }
  }
  outcome_.timings.push_back({.phase = phase, .took = took});
}

}  // namespace falconer::browser
