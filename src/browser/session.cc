#include "browser/session.h"

#include <utility>

#include "base/log.h"
#include "browser/context/permissions.h"
#include "browser/network/egress_door.h"
#include "cdp/connection.h"

namespace falconer::browser {

Session::Session(SessionId id, std::string context_id, std::shared_ptr<cdp::Session> root,
                 SessionOptions options, std::shared_ptr<RequestBackstop> backstop)
    : id_(std::move(id)),
      context_id_(std::move(context_id)),
      root_(std::move(root)),
      options_(std::move(options)),
      holds_(root_->connection().executor(), root_->connection().clock(), std::move(backstop), {}),
      downloads_(root_, context_id_, options_),
      tabs_(root_, context_id_, options_, holds_),
      storage_(root_, context_id_, tabs_),
      worker_gate_(options_, {.holds = &holds_}) {
  if (options_.request_rule && options_.request_rule->MayHold()) holds_.backstop().Start();
  downloads_.SetFrameFilter([this](const std::string& frame_id) {
    for (const auto& tab : tabs_.all()) {
      if (tab->frames().Find(frame_id) || tab->target_id() == frame_id) return true;
    }
    return false;
  });
  // Also for pages that were held back for a while, and become tabs long after they appeared.
  opened_watch_ = tabs_.on_opened().Subscribe([this](const auto&) { changes().NotifyAll(); });
  tab_watch_ = tabs_.on_closed().Subscribe([this](const TabId&) { changes().NotifyAll(); });
}

Session::~Session() {
  if (closed_) return;
  const Error reason(ErrorCode::kSessionClosed, "session " + id_.value() + " is closed");
  // First: the browser sends on what it holds for a page that it closes.
  holds_.EndAll(HoldEnding::kSessionClosed, reason.message());
  root_->Post(cdp::TargetDisposeBrowserContext{.browser_context_id = context_id_});
  End(reason);
}

Task<Result<void>> Session::Open(CallContext ctx) {
  CO_TRY(SendPermissions(*root_, context_id_, options_.permissions));
  CO_TRY(downloads_.Start());
  CO_TRY(co_await tabs_.Open(std::move(ctx)));
  co_return Result<void>();
}

Result<void> Session::MoveInto(std::filesystem::path artifacts, std::uint64_t max_download_bytes) {
  options_.artifacts = std::move(artifacts);
  options_.max_download_bytes = max_download_bytes;
  return downloads_.Start();
}

Task<void> Session::Close(CallContext ctx) {
  if (closed_) co_return;
  const Error reason(ErrorCode::kSessionClosed, "session " + id_.value() + " is closed");
  holds_.EndAll(HoldEnding::kSessionClosed, reason.message());
  // The browser breaks downloads off before it answers: they must know why.
  downloads_.End(reason);
  const auto disposed = co_await root_->Send(
      ctx, cdp::TargetDisposeBrowserContext{.browser_context_id = context_id_});
  if (!disposed && is_open()) {
    LOG(warn, "session.dispose_failed", {"session", id_.value()},
        {"why", disposed.error().message()});
  }
  End(reason);
}

void Session::End(const Error& reason) {
  if (closed_) return;
  closed_ = reason;
  holds_.EndAll(HoldEnding::kSessionClosed, reason.message());
  tabs_.CloseAll(reason);
  downloads_.End(reason);
  if (options_.egress) options_.egress->Dismiss(id_);
  changes().NotifyAll();
  on_closed_.Emit(reason);
}

Result<void> Session::Alive() const {
  if (closed_) return std::unexpected(*closed_);
  return {};
}

void Session::OnPage(const std::shared_ptr<cdp::Session>& page) {
  page->Heed(fence_);
  tabs_.OnPage(page);
  changes().NotifyAll();
}

// Shared and service workers serve any tab of the context: the active one keeps their traffic.
void Session::OnWorker(const std::shared_ptr<cdp::Session>& worker,
                       NetworkObserver::SourceKind kind) {
  worker->Heed(fence_);
  // The browser lets some of a shared worker's requests go before it can be told to hold them:
  // under a rule none runs. It waits for us, and is closed.
  if (options_.request_rule && kind == NetworkObserver::SourceKind::kSharedWorker) {
    root_->Post(cdp::TargetCloseTarget{.target_id = worker->target().target_id});
    return;
  }
  // First: what it does about a worker that is restarted must be done before that one runs.
  worker_gate_.Follow(worker, RequestGate::Holds::kRequestsNoSockets);
  // A worker that is restarted waits to be let go, also when the tab that watches it has closed:
  // pages that need it would hang.
  auto& watching = workers_[worker.get()];
  watching.push_back(worker->On<cdp::InspectorTargetReloadedAfterCrash>(
      [raw = worker.get()](const auto&) { raw->Post(cdp::RuntimeRunIfWaitingForDebugger{}); }));
  watching.push_back(worker->OnClosed([this, raw = worker.get()](const Error&) {
    // The subscription that is being told goes with the others: it must outlive this call.
    const auto keep_alive = workers_.extract(raw);
    worker_gate_.Unfollow(*raw);
  }));
  if (const auto tab = tabs_.Active()) return (*tab)->AdoptWorker(worker, kind);
  worker->Post(cdp::RuntimeRunIfWaitingForDebugger{});
}

void Session::OnGone(const Error& reason) {
  End(reason);
}

}  // namespace falconer::browser
