// The leaves that the driver can decide by itself.

#include <utility>

#include "browser/load_waits.h"
#include "browser/wait_node.h"

namespace falconer::browser {
namespace {

using model::WaitKind;

// A tab that is gone or crashed will never show what is waited for.
Task<Result<void>> Until(CallContext ctx, std::shared_ptr<Tab> tab, std::function<bool()> holds, std::string_view what) {
  CO_TRY(co_await tab->changes().Until(std::move(ctx), [&] { return holds() || !tab->Alive(); }, what));
  if (!holds()) co_return tab->Alive();
  co_return Result<void>();
}

std::shared_ptr<Frame> FindFrame(Tab& tab, const model::Pattern& url) {
  for (const auto& frame : tab.frames().All()) {
    if (!frame->is_main() && url.Matches(frame->document->url)) return frame;
  }
  return nullptr;
}

Task<Result<json::value>> WaitForUrl(CallContext ctx, std::shared_ptr<Tab> tab, model::Pattern url) {
  CO_TRY(co_await Until(std::move(ctx), tab, [&] { return url.Matches(tab->url()); }, "the address"));
  co_return json::object{{"url", std::string_view(tab->url())}};
}

Task<Result<json::value>> WaitForFrame(CallContext ctx, std::shared_ptr<Tab> tab, model::Pattern url) {
  CO_TRY(co_await Until(std::move(ctx), tab, [&] { return FindFrame(*tab, url) != nullptr; }, "the frame"));
  const auto frame = FindFrame(*tab, url);
  co_return json::object{{"fid", std::string_view(frame->fid)}, {"url", std::string_view(frame->document->url)}};
}

}  // namespace

Task<Result<json::value>> WaitInDriver(CallContext ctx, WaitScope* scope, WaitNode* node) {
  const auto& leaf = node->condition.leaf;
  switch (node->condition.kind) {
    case WaitKind::kUrl:
      co_return co_await WaitForUrl(std::move(ctx), scope->tab, std::get<model::UrlWait>(leaf).url);
    case WaitKind::kFrame:
      co_return co_await WaitForFrame(std::move(ctx), scope->tab, std::get<model::UrlWait>(leaf).url);
    case WaitKind::kLoadState: {
      const auto state = std::get<model::LoadStateWait>(leaf).state;
      CO_TRY(co_await WaitForPendingNavigation(ctx, scope->tab));
      CO_TRY(co_await WaitForLoadState(ctx, scope->tab, scope->tab->frames().main(), state));
      co_return json::object{{"state", NameIn(model::kLoadStates, state)}};
    }
    case WaitKind::kNetworkIdle: {
      const auto quiet = std::get<model::QuietWait>(leaf).quiet;
      CO_TRY(co_await WaitForNetworkIdle(ctx, scope->tab, quiet));
      co_return json::object{{"quiet_ms", quiet.count()}};
    }
    default: {
      // Something that happens: its trap notes it, and everything that happens is a change.
      const auto happened = [node] { return node->has_happened; };
      if (node->condition.kind == WaitKind::kDownload || node->condition.kind == WaitKind::kPopup) {
        const auto over = [&] { return happened() || !scope->session.is_open(); };
        CO_TRY(co_await scope->session.changes().Until(std::move(ctx), over, model::WaitKindName(node->condition.kind)));
        if (!happened()) CO_TRY(scope->session.Alive());
      } else {
        CO_TRY(co_await Until(std::move(ctx), scope->tab, happened, model::WaitKindName(node->condition.kind)));
      }
      co_return std::move(node->outcome.observed);
    }
  }
}

}  // namespace falconer::browser
