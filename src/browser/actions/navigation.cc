// Moving between pages.

#include <utility>

#include "browser/actions/actions.h"
#include "browser/load_waits.h"

namespace falconer::browser {
namespace {

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

// Waits for the document with `loader` (any new one when empty) and for its loading.
Task<Result<void>> WaitForDocument(CallContext ctx, ActionRun* run, std::string loader,
                                   std::shared_ptr<Document> before) {
  const auto tab = run->tab();
  const auto main = tab->frames().main();
  const auto arrived = [&] {
    return main->document != before && (loader.empty() || main->document->loader_id == loader);
  };
  const auto interrupted = [&] { return main->document != before && !arrived(); };
  CO_TRY(co_await tab->changes().Until(
      ctx, [&] { return arrived() || interrupted() || !tab->Alive() || tab->dialogs().open(); },
      "the new page"));
  CO_TRY(tab->Alive());
  if (!arrived()) {
    CO_TRY(tab->dialogs().NoneOpen());
    co_return Fail(ErrorCode::kNavigationInterrupted,
                   "another navigation, to " + main->document->url + ", came first");
  }
  run->EndPhase(model::Phase::kAct);
  const auto document = main->document;
  CO_TRY(co_await WaitForLoadState(ctx, tab, main, WaitUntil(*run)));
  NoteCommitted(run, *main->document);
  run->EndPhase(model::Phase::kSettle);
  co_return Result<void>();
}

// A response that turned out to be a file: the page stays, the file comes down.
Task<Result<void>> NoteDownload(CallContext ctx, ActionRun* run, std::uint64_t before) {
  Downloads& downloads = run->session().downloads();
  CO_TRY(co_await downloads.changes().Until(
      ctx, [&] { return downloads.last_seq() > before; }, "the download to begin"));
  for (const Download& download : downloads.Since(before)) run->outcome().downloads.push_back(download.id);
  co_return Result<void>();
}

ActionResult StepInHistory(CallContext ctx, ActionRun* run, int step) {
  const auto before = run->tab()->frames().main()->document;
  const std::string url_before = before->url;
  CO_TRY_ASSIGN(const auto history, co_await run->page().Send(ctx, cdp::PageGetNavigationHistory{}));
  const auto index = history.current_index + step;
  if (index < 0 || index >= std::ssize(history.entries)) {
    co_return Fail(ErrorCode::kNavigationFailed,
                   step < 0 ? "there is no earlier page in this tab" : "there is no later page in this tab");
  }
  const auto& entry = history.entries[static_cast<std::size_t>(index)];
  CO_TRY(co_await run->page().Send(ctx, cdp::PageNavigateToHistoryEntry{.entry_id = entry.id}));
  const auto tab = run->tab();
  const auto main = tab->frames().main();
  // Either another document, or another address of the same one.
  CO_TRY(co_await tab->changes().Until(
      ctx,
      [&] { return main->document != before || main->document->url != url_before || !tab->Alive() || tab->dialogs().open(); },
      "the page in the history"));
  CO_TRY(tab->Alive());
  CO_TRY(tab->dialogs().NoneOpen());
  CO_TRY(co_await WaitForLoadState(ctx, tab, main, WaitUntil(*run)));
  NoteCommitted(run, *main->document);
  run->EndPhase(model::Phase::kSettle);
  co_return Result<void>();
}

}  // namespace

ActionResult Navigate(CallContext ctx, ActionRun* run) {
  const auto tab = run->tab();
  const auto before = tab->frames().main()->document;
  const auto downloads_before = run->session().downloads().last_seq();
  CO_TRY_ASSIGN(const auto reply,
                co_await run->page().Send(ctx, cdp::PageNavigate{.url = *run->spec().url,
                                                                 .referrer = run->spec().referrer}));
  tab->OnRevived();
  if (reply.is_download.value_or(false)) co_return co_await NoteDownload(std::move(ctx), run, downloads_before);
  if (reply.error_text && !reply.error_text->empty()) {
    co_return Fail(Error(ErrorCode::kNavigationFailed, *run->spec().url + ": " + *reply.error_text,
                         {{"net_error", std::string_view(*reply.error_text)}}));
  }
  if (!reply.loader_id) {
    NoteCommitted(run, *tab->frames().main()->document);
    run->EndPhase(model::Phase::kAct);
    co_return Result<void>();
  }
  co_return co_await WaitForDocument(std::move(ctx), run, *reply.loader_id, before);
}

ActionResult GoBack(CallContext ctx, ActionRun* run) {
  return StepInHistory(std::move(ctx), run, -1);
}

ActionResult GoForward(CallContext ctx, ActionRun* run) {
  return StepInHistory(std::move(ctx), run, 1);
}

ActionResult Reload(CallContext ctx, ActionRun* run) {
  const auto before = run->tab()->frames().main()->document;
  CO_TRY(co_await run->page().Send(ctx, cdp::PageReload{}));
  run->tab()->OnRevived();
  co_return co_await WaitForDocument(std::move(ctx), run, "", before);
}

}  // namespace falconer::browser
