// Moving between pages.

#include <utility>

#include "browser/actions/actions.h"
#include "browser/waits/load_waits.h"

namespace falconer::browser {
namespace {

constexpr std::string_view kAborted = "net::ERR_ABORTED";
constexpr auto kErrorPageTime = std::chrono::seconds(2);
constexpr auto kStopTime = std::chrono::seconds(1);

model::LoadState WaitUntil(const ActionRun& run) {
  return run.spec().wait_until.value_or(model::LoadState::kLoad);
}

void NoteCommitted(ActionRun* run, const Document& document) {
  run->outcome().navigation = model::NavigationEvidence{.requested = true,
                                                        .committed = true,
                                                        .url = document.url,
                                                        .status = document.status.value_or(0),
                                                        .loader = document.loader_id};
}

// The tab's main frame as it was before the navigation.
struct Before {
  std::shared_ptr<Frame> main;
  std::shared_ptr<Document> document;
  std::uint32_t address_changes;

  explicit Before(ActionRun* run)
      : main(run->tab()->frames().main()),
        document(main->document),
        address_changes(document->address_changes) {}
  bool has_new_document() const { return main->document != document; }
  bool has_new_address() const { return document->address_changes != address_changes; }
};

// Waits for the page that has come, or for what kept it from coming.
Task<Result<void>> UntilThere(CallContext ctx, ActionRun* run, std::function<bool()> is_there) {
  const auto& tab = run->tab();
  CO_TRY(co_await tab->changes().Until(
      std::move(ctx), [&] { return is_there() || !tab->Alive() || tab->dialogs().open(); },
      "the new page"));
  CO_TRY(tab->Alive());
  if (!is_there()) CO_TRY(tab->dialogs().NoneOpen());
  co_return Result<void>();
}

Task<Result<void>> FinishLoading(CallContext ctx, ActionRun* run, std::shared_ptr<Frame> main) {
  if (main->document->is_error_page)
    co_return Fail(ErrorCode::kNavigationFailed, "the page could not be loaded");
  const Document& shown = *main->document;
  // A plain page that does not get through is shown as the proxy's own answer.
  if (shown.status) {
    if (auto trouble = run->EgressTrouble(shown.url, shown.status))
      co_return std::unexpected(*std::move(trouble));
  }
  run->EndPhase(model::Phase::kAct);
  CO_TRY(co_await WaitForLoadState(std::move(ctx), run->tab(), main, WaitUntil(*run)));
  NoteCommitted(run, *main->document);
  run->EndPhase(model::Phase::kSettle);
  co_return Result<void>();
}

void NoteNewAddress(ActionRun* run, const Document& document) {
  run->outcome().navigation = model::NavigationEvidence{
      .requested = true, .committed = true, .url = document.url, .loader = document.loader_id};
  run->EndPhase(model::Phase::kSettle);
}

Task<Result<void>> WaitForDocument(CallContext ctx, ActionRun* run, std::string loader,
                                   Before before) {
  const auto main = before.main;
  const auto is_there = [&] { return main->document->loader_id == loader; };
  // A page that was on its way before may still come first; ours is over only when it is no longer
  // under way itself.
  const auto is_lost = [&] { return before.has_new_document() && main->pending_loader != loader; };
  CO_TRY(co_await UntilThere(ctx, run, [&] { return is_there() || is_lost(); }));
  if (!is_there()) {
    co_return Fail(ErrorCode::kNavigationInterrupted,
                   "another navigation, to " + main->document->url + ", came first");
  }
  co_return co_await FinishLoading(std::move(ctx), run, main);
}

// Waits for whatever a step in the history or a reload brings: another document, another address of
// the same one, or nothing (a file, an empty answer).
Task<Result<void>> WaitForAnyChange(CallContext ctx, ActionRun* run, Before before) {
  bool has_begun = false;
  const auto is_over = [&] {
    const bool is_navigating = before.main->is_navigating();
    const bool came_to_nothing = has_begun && !is_navigating;
    has_begun |= is_navigating;
    return before.has_new_document() || before.has_new_address() || came_to_nothing;
  };
  CO_TRY(co_await UntilThere(ctx, run, is_over));
  if (before.has_new_document()) co_return co_await FinishLoading(std::move(ctx), run, before.main);
  if (!before.has_new_address())
    co_return Fail(ErrorCode::kNavigationFailed, "the server sent no page");
  NoteNewAddress(run, *before.document);
  co_return Result<void>();
}

// Why the egress proxy let the page not come; the browser only knows that a proxy was in the way.
std::optional<Error> TroubleOf(const ActionRun& run, const Error& failure) {
  if (failure.code() != ErrorCode::kNavigationFailed) return std::nullopt;
  const Document& shown = *run.tab()->frames().main()->document;
  if (shown.is_error_page) return run.EgressTrouble(shown.unreachable_url);
  return run.spec().url ? run.EgressTrouble(*run.spec().url) : std::nullopt;
}

// A page that came after its time would replace the one that the caller goes on with. That it was
// stopped is waited for: whoever is told that it is over relies on it.
Task<Result<void>> StoppedWhenLate(CallContext ctx, ActionRun* run, Before before,
                                   Task<Result<void>> navigation) {
  auto done = co_await std::move(navigation);
  if (!done && !ctx.StillWanted("the new page") && !before.has_new_document()) {
    const auto stopping = CallContext(ctx.executor(), ctx.clock()).WithTimeout(kStopTime);
    co_await run->page().Send(stopping, cdp::PageStopLoading{});
  }
  // The browser only says that the page did not come.
  if (!done) {
    if (auto refused = run->RefusedPage()) co_return std::unexpected(*std::move(refused));
    if (auto trouble = TroubleOf(*run, done.error()))
      co_return std::unexpected(*std::move(trouble));
  }
  co_return done;
}

// The browser shows a page of its own in place of one that could not be loaded. It comes after the
// answer, and would be in the way of the next navigation.
Task<Result<void>> FailedToLoad(CallContext ctx, ActionRun* run, Before before,
                                cdp::PageNavigate::Reply reply) {
  const auto main = before.main;
  const std::string loader = reply.loader_id.value_or("");
  if (*reply.error_text != kAborted) {
    co_await UntilThere(ctx.WithTimeout(kErrorPageTime), run,
                        [&] { return main->document->loader_id == loader; });
  } else {
    // One round trip: had it given way to another navigation, that one has begun by now.
    co_await run->SendToTab(ctx, cdp::PageGetNavigationHistory{});
    if (before.has_new_document() || main->pending_loader.value_or(loader) != loader) {
      co_return Fail(ErrorCode::kNavigationInterrupted, "another navigation came first");
    }
  }
  co_return Fail(Error(ErrorCode::kNavigationFailed, *run->spec().url + ": " + *reply.error_text,
                       {{"net_error", std::string_view(*reply.error_text)}}));
}

// A response that turned out to be a file: the page stays, the file comes down.
Task<Result<void>> NoteDownload(CallContext ctx, ActionRun* run, std::uint64_t before) {
  CO_TRY_ASSIGN(const auto begun,
                co_await run->session().downloads().Begun(std::move(ctx), before));
  for (const Download& download : begun) run->outcome().downloads.push_back(download.id);
  co_return Result<void>();
}

// The browser answers only once the page that is left has agreed. A question that the caller has to
// answer ends the waiting.
Task<Result<cdp::PageNavigate::Reply>> SendNavigate(CallContext ctx, ActionRun* run) {
  const auto tab = run->tab();
  LinkedCancelSource interrupted(ctx.cancel());
  const auto on_dialog = tab->dialogs().OnOpened([&](const Dialog&) {
    if (const auto none = tab->dialogs().NoneOpen(); !none) interrupted.Cancel(none.error());
  });
  co_return co_await run->SendToTab(
      ctx.WithCancel(interrupted.token()),
      cdp::PageNavigate{.url = *run->spec().url, .referrer = run->spec().referrer});
}

Task<Result<void>> Go(CallContext ctx, ActionRun* run, Before before) {
  CO_TRY(run->tab()->gate().MayOpen(*run->spec().url));
  const auto downloads_before = run->session().downloads().last_seq();
  CO_TRY_ASSIGN(const auto reply, co_await SendNavigate(ctx, run));
  run->tab()->OnRevived();
  if (reply.is_download.value_or(false))
    co_return co_await NoteDownload(std::move(ctx), run, downloads_before);
  if (reply.error_text && !reply.error_text->empty())
    co_return co_await FailedToLoad(std::move(ctx), run, before, reply);
  if (reply.loader_id)
    co_return co_await WaitForDocument(std::move(ctx), run, *reply.loader_id, before);
  CO_TRY(co_await UntilThere(
      ctx, run, [&] { return before.has_new_address() || before.has_new_document(); }));
  NoteNewAddress(run, *before.main->document);
  co_return Result<void>();
}

Task<Result<void>> StepInHistory(CallContext ctx, ActionRun* run, Before before, int step) {
  CO_TRY_ASSIGN(const auto history, co_await run->SendToTab(ctx, cdp::PageGetNavigationHistory{}));
  const auto index = history.current_index + step;
  if (index < 0 || index >= std::ssize(history.entries)) {
    co_return Fail(ErrorCode::kNavigationFailed, step < 0 ? "there is no earlier page in this tab"
                                                          : "there is no later page in this tab");
  }
  const auto& entry = history.entries[static_cast<std::size_t>(index)];
  CO_TRY(co_await run->SendToTab(ctx, cdp::PageNavigateToHistoryEntry{.entry_id = entry.id}));
  co_return co_await WaitForAnyChange(std::move(ctx), run, before);
}

Task<Result<void>> LoadAgain(CallContext ctx, ActionRun* run, Before before) {
  CO_TRY(co_await run->SendToTab(ctx, cdp::PageReload{}));
  run->tab()->OnRevived();
  co_return co_await WaitForAnyChange(std::move(ctx), run, before);
}

}  // namespace

ActionResult Navigate(CallContext ctx, ActionRun* run) {
  const Before before(run);
  return StoppedWhenLate(ctx, run, before, Go(ctx, run, before));
}

ActionResult GoBack(CallContext ctx, ActionRun* run) {
  const Before before(run);
  return StoppedWhenLate(ctx, run, before, StepInHistory(ctx, run, before, -1));
}

ActionResult GoForward(CallContext ctx, ActionRun* run) {
  const Before before(run);
  return StoppedWhenLate(ctx, run, before, StepInHistory(ctx, run, before, 1));
}

ActionResult Reload(CallContext ctx, ActionRun* run) {
  const Before before(run);
  return StoppedWhenLate(ctx, run, before, LoadAgain(ctx, run, before));
}

}  // namespace falconer::browser
