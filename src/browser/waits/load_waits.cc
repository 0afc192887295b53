#include "browser/waits/load_waits.h"

namespace falconer::browser {
namespace {

// Why a wait for a frame's document cannot end any more.
Result<void> CanGoOn(const Tab& tab, Dialogs& dialogs, const Frame& frame) {
  TRY(tab.Alive());
  TRY(dialogs.NoneOpen());
  if (frame.is_detached) return Fail(ErrorCode::kFrameDetached, "the frame is gone");
  return {};
}

}  // namespace

Task<Result<void>> WaitForLoadState(CallContext ctx, std::shared_ptr<Tab> tab,
                                    std::shared_ptr<Frame> frame, model::LoadState state) {
  const auto reached = [&] {
    return frame->document->load_state >= std::min(state, model::LoadState::kLoad);
  };
  CO_TRY(co_await tab->changes().Until(
      ctx, [&] { return reached() || !CanGoOn(*tab, tab->dialogs(), *frame); },
      NameIn(model::kLoadStates, state)));
  if (!reached()) co_return CanGoOn(*tab, tab->dialogs(), *frame);
  if (state == model::LoadState::kNetworkIdle) {
    co_return co_await WaitForNetworkIdle(std::move(ctx), std::move(tab), kNetworkIdleTime);
  }
  co_return Result<void>();
}

Task<Result<void>> WaitForNetworkIdle(CallContext ctx, std::shared_ptr<Tab> tab, Duration quiet) {
  NetworkObserver& network = tab->network();
  while (true) {
    CO_TRY(co_await tab->changes().Until(
        ctx, [&] { return network.in_flight() == 0 || !tab->Alive(); }, "the network to be idle"));
    CO_TRY(tab->Alive());
    const Deadline enough = Deadline::At(network.idle_since() + quiet);
    if (enough.HasPassed(ctx.clock().Now())) co_return Result<void>();
    // Wakes at the end of the quiet time, or earlier when a request starts.
    const auto busy = co_await tab->changes().Until(
        ctx.WithDeadline(enough), [&] { return network.in_flight() > 0 || !tab->Alive(); },
        "quiet");
    if (!busy) CO_TRY(ctx.StillWanted("the network to be idle"));
  }
}

Task<Result<void>> WaitForPendingNavigation(CallContext ctx, std::shared_ptr<Tab> tab) {
  const auto settled = [&] {
    const auto main = tab->frames().main();
    return !main || !main->is_navigating() || !tab->Alive() || tab->dialogs().open();
  };
  CO_TRY(co_await tab->changes().Until(std::move(ctx), settled, "the pending navigation"));
  co_return tab->Alive();
}

Task<Result<void>> WaitUntilReplaced(CallContext ctx, std::shared_ptr<Tab> tab, ScriptCall place) {
  const auto known = [&] {
    // A document can lose its worlds and stay, for instance when its frame moves between processes.
    const bool can_begin_anew = place.document->worlds.empty() && place.frame->session->is_open();
    return !place.document->is_current || place.frame->is_detached || can_begin_anew ||
           !tab->Alive();
  };
  CO_TRY(co_await tab->changes().Until(std::move(ctx), known, "the next page"));
  co_return tab->Alive();
}

}  // namespace falconer::browser
