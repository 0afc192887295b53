// The leaves that the driver can decide by itself.

#include <utility>

#include "browser/waits/load_waits.h"
#include "browser/waits/wait_node.h"

namespace falconer::browser {
namespace {

using model::WaitKind;

// A tab that is gone or crashed will never show what is waited for.
Task<Result<void>> Until(CallContext ctx, std::shared_ptr<Tab> tab, std::function<bool()> holds,
                         std::string_view what) {
  CO_TRY(co_await tab->changes().Until(
      std::move(ctx), [&] { return holds() || !tab->Alive(); }, what));
  if (!holds()) co_return tab->Alive();
  co_return Result<void>();
}

std::shared_ptr<Frame> FindFrame(Tab& tab, const model::Pattern& url) {
  for (const auto& frame : tab.frames().All()) {
    if (!frame->is_main() && url.Matches(frame->document->url)) return frame;
  }
  return nullptr;
}

Task<Result<json::value>> WaitForUrl(CallContext ctx, std::shared_ptr<Tab> tab,
                                     model::Pattern url) {
  CO_TRY(
      co_await Until(std::move(ctx), tab, [&] { return url.Matches(tab->url()); }, "the address"));
  co_return json::object{{"url", std::string_view(tab->url())}};
}

Task<Result<json::value>> WaitForFrame(CallContext ctx, std::shared_ptr<Tab> tab,
                                       model::Pattern url) {
  CO_TRY(co_await Until(
      std::move(ctx), tab, [&] { return FindFrame(*tab, url) != nullptr; }, "the frame"));
  const auto frame = FindFrame(*tab, url);
  co_return json::object{{"fid", std::string_view(frame->fid)},
                         {"url", std::string_view(frame->document->url)}};
}

Task<Result<json::value>> WaitForLoad(CallContext ctx, std::shared_ptr<Tab> tab,
                                      model::LoadState state) {
  CO_TRY(co_await WaitForPendingNavigation(ctx, tab));
  CO_TRY(co_await WaitForLoadState(ctx, tab, tab->frames().main(), state));
  co_return json::object{{"state", NameIn(model::kLoadStates, state)}};
}

Task<Result<json::value>> WaitForQuiet(CallContext ctx, std::shared_ptr<Tab> tab,
                                       std::chrono::milliseconds quiet) {
  CO_TRY(co_await WaitForNetworkIdle(std::move(ctx), std::move(tab), quiet));
  co_return json::object{{"quiet_ms", quiet.count()}};
}

// The trap of the leaf notes what happens. Downloads and popups are news of the session, all else
// of the tab.
Task<Result<json::value>> WaitForTrap(CallContext ctx, WaitScope* scope, WaitNode* node) {
  const std::string_view name = model::WaitKindName(node->condition.kind);
  const auto happened = [node] { return node->has_happened; };
  if (node->condition.kind == WaitKind::kDownload || node->condition.kind == WaitKind::kPopup) {
    const auto over = [&] { return happened() || !scope->session.is_open(); };
    CO_TRY(co_await scope->session.changes().Until(std::move(ctx), over, name));
    if (!happened()) CO_TRY(scope->session.Alive());
  } else {
    CO_TRY(co_await Until(std::move(ctx), scope->tab, happened, name));
  }
  co_return std::move(node->outcome.observed);
}

}  // namespace

Task<Result<json::value>> WaitInDriver(CallContext ctx, WaitScope* scope, WaitNode* node) {
  const auto& leaf = node->condition.leaf;
  switch (node->condition.kind) {
    case WaitKind::kUrl:
      return WaitForUrl(std::move(ctx), scope->tab, std::get<model::UrlWait>(leaf).url);
    case WaitKind::kFrame:
      return WaitForFrame(std::move(ctx), scope->tab, std::get<model::UrlWait>(leaf).url);
    case WaitKind::kLoadState:
      return WaitForLoad(std::move(ctx), scope->tab, std::get<model::LoadStateWait>(leaf).state);
    case WaitKind::kNetworkIdle:
      return WaitForQuiet(std::move(ctx), scope->tab, std::get<model::QuietWait>(leaf).quiet);
    default:
      return WaitForTrap(std::move(ctx), scope, node);
  }
}

}  // namespace falconer::browser
