#include "browser/tabs/tab.h"

#include <utility>

#include "base/async/stopped_time.h"
#include "browser/context/emulation.h"
#include "browser/frames/page_script.h"
#include "cdp/connection.h"

namespace falconer::browser {
namespace {

cdp::TargetSetAutoAttach AttachChildren() {
  return {.auto_attach = true, .wait_for_debugger_on_start = true, .flatten = true};
}

struct WorkerRow {
  std::string_view type;
  NetworkObserver::SourceKind kind;
  RequestGate::Holds holds;
};

constexpr WorkerRow kWorkers[] = {
    {"worker", NetworkObserver::SourceKind::kWorker, RequestGate::Holds::kSocketsOnly},
    {"service_worker", NetworkObserver::SourceKind::kServiceWorker,
     RequestGate::Holds::kRequestsNoSockets},
    {"shared_worker", NetworkObserver::SourceKind::kSharedWorker,
     RequestGate::Holds::kRequestsNoSockets},
};

// After most failures the browser shows a page of its own, and that ends the navigation.
bool ShowsErrorPage(std::string_view error_signature) {
  return error_signature.starts_with("net::") && error_signature != "net::err_aborted";
}

}  // namespace

Tab::Tab(Setup setup, const SessionOptions& options, DocumentCommons& documents)
    : id_(std::move(setup.id)),
      opener_(std::move(setup.opener)),
      session_(std::move(setup.session)),
      holds_(setup.holds),
      options_(options),
      documents_(documents),
      viewport_(options.viewport),
      frames_(documents, changes_),
      dialogs_(options, changes_),
      network_(session_->connection().clock(), changes_, {.ring = options.network_ring}),
      console_(changes_, options.console_ring),
      gate_(options, GatePlace()),
      alive_(std::make_shared<char>()),
      tasks_(session_->connection().executor()) {
  FollowPage();
  FollowNetwork();
  SendSetup();
}

Tab::~Tab() {
  Close(Error(ErrorCode::kTabClosed, "tab " + id_.value() + " is closed"));
}

RequestGate::Place Tab::GatePlace() {
  using enum RequestGate::Place::Origin;
  return {.tab = id_,
          .main_frame_id = target_id(),
          .frames = &frames_,
          .network = &network_,
          .holds = holds_,
          .origin = opener_ ? kPopup : kCaller};
}

void Tab::FollowPage() {
  frames_.Follow(session_);
  dialogs_.Follow(session_);
  console_.Follow(session_);
  network_.Follow(session_, NetworkObserver::SourceKind::kPage);
  subscriptions_.push_back(session_->On<cdp::TargetAttachedToTarget>(
      [this](const auto& event) { OnChildAttached(event); }));
  subscriptions_.push_back(dialogs_.on_stayed().Subscribe([this] { frames_.NoteStayed(); }));
  // A chooser ends with the page that opened it.
  subscriptions_.push_back(frames_.on_document().Subscribe([this](const Frame& frame) {
    if (frame.is_main()) ForgetFileChooser();
  }));
  subscriptions_.push_back(
      session_->On<cdp::InspectorTargetCrashed>([this](const auto&) { OnCrash(); }));
  subscriptions_.push_back(
      session_->On<cdp::InspectorTargetReloadedAfterCrash>([this](const auto&) {
        session_->Post(cdp::RuntimeRunIfWaitingForDebugger{});
        OnRevived();
      }));
  subscriptions_.push_back(FollowFileChoosers(session_));
  subscriptions_.push_back(session_->OnClosed([this](const Error& reason) {
    Close(reason.code() == ErrorCode::kBrowserGone
              ? reason
              : Error(ErrorCode::kTabClosed, "tab " + id_.value() + " was closed"));
  }));
}

Subscription Tab::FollowFileChoosers(const std::shared_ptr<cdp::Session>& session) {
  return session->On<cdp::PageFileChooserOpened>(
      [this, weak = std::weak_ptr(session)](const auto& event) {
        file_chooser_ = FileChooser{.mode = event.mode,
                                    .backend_node_id = event.backend_node_id,
                                    .frame_id = event.frame_id.value_or(""),
                                    .session = weak.lock()};
        ++file_choosers_seen_;
        changes_.NotifyAll();
      });
}

void Tab::FollowNetwork() {
  subscriptions_.push_back(network_.on_document_request().Subscribe(
      [this](const std::string& frame, const std::string& loader) {
        frames_.NoteNavigationRequest(frame, loader);
      }));
  subscriptions_.push_back(network_.on_document_response().Subscribe(
      [this](const std::string& loader, int status) { frames_.NoteStatus(loader, status); }));
  subscriptions_.push_back(network_.on_document_failed().Subscribe(
      [this](const std::string& loader, const std::string& why) {
        if (!ShowsErrorPage(why)) frames_.NoteNavigationFailed(loader);
      }));
}

// Everything is written before anything is awaited; the page may run only after the last line.
void Tab::SendSetup() {
  cdp::Session& page = *session_;
  page.Post(cdp::PageEnable{});
  page.Post(ScriptForMainFrame());
  SendCommon(page);
  gate_.Follow(session_, RequestGate::Holds::kRequestsAndSockets);
  SendViewport(page, viewport_);
  SendEmulation(page, options_, EmulatedTarget::kPage);
  // Its answer says that all of the above is in force: a navigation before that would lose events.
  tasks_.Spawn("tab.open", FinishOpening(this, alive_, page.Post(cdp::PageGetFrameTree{})));
  page.Post(cdp::RuntimeRunIfWaitingForDebugger{});
}

void Tab::SendCommon(cdp::Session& session) {
  session.Post(cdp::PageSetLifecycleEventsEnabled{.enabled = true});
  session.Post(cdp::PageSetInterceptFileChooserDialog{.enabled = true});
  session.Post(cdp::RuntimeEnable{});
  session.Post(cdp::LogEnable{});
  session.Post(cdp::NetworkEnable{});
  session.Post(AttachChildren());
  documents_.on_page_session().Emit(session.shared_from_this());
}

Task<Result<void>> Tab::Ready(CallContext ctx) {
  CO_TRY(co_await changes_.Until(
      ctx, [this] { return phase_ != TabPhase::kOpening; }, "the tab to open"));
  if (end_) co_return std::unexpected(*end_);
  co_return Result<void>();
}

Task<void> Tab::FinishOpening(Tab* self, std::weak_ptr<void> alive,
                              cdp::PendingReply<cdp::PageGetFrameTree> pending) {
  cdp::Connection& connection = self->session_->connection();
  // The first page of a tab that a page opened may be held; until then the tab answers nothing.
  const auto time = std::make_shared<StoppedTime>(connection.clock());
  const auto watching = self->StopWhileHeld(time);
  const auto ctx = CallContext(connection.executor(), connection.clock()).WithStops(time);
  auto reply = co_await pending.Wait(ctx.WithTimeout(connection.command_timeout()));
  if (!alive.expired()) self->OnTree(std::move(reply));
}

std::vector<Subscription> Tab::StopWhileHeld(const std::shared_ptr<StoppedTime>& time) const {
  std::vector<Subscription> watching;
  if (holds_ == nullptr) return watching;
  const auto is_ours = [id = id_](const HeldRequest& held) {
    return held.facts.tab == id && held.is_page();
  };
  watching.push_back(holds_->on_held().Subscribe([time, is_ours](const HeldRequest& held) {
    if (is_ours(held)) time->Stop();
  }));
  watching.push_back(holds_->on_ended().Subscribe([time, is_ours](const HoldEnd& end) {
    if (is_ours(*end.request)) time->Go();
  }));
  return watching;
}

void Tab::OnTree(Result<cdp::PageGetFrameTree::Reply> reply) {
  if (phase_ != TabPhase::kOpening) return;
  if (!reply) return Close(std::move(reply).error().In("opening tab " + id_.value()));
  // A page that has come meanwhile was announced, and is newer than the answer.
  if (!frames_.main()) frames_.Load(session_, reply->frame_tree);
  phase_ = TabPhase::kLive;
  changes_.NotifyAll();
}

Result<void> Tab::Alive() const {
  if (end_) return std::unexpected(*end_);
  if (phase_ == TabPhase::kCrashed) {
    return Fail(ErrorCode::kTabCrashed, "the page of tab " + id_.value() + " crashed");
  }
  return {};
}

Result<void> Tab::Answers() const {
  if (holds_ == nullptr || holds_->PageOf(id_) == nullptr) return {};
  return Fail(ErrorCode::kPageHeld, "the next page of tab " + id_.value() +
                                        " waits for a decision; until then this one does not "
                                        "answer");
}

std::string Tab::url() const {
  const auto main = frames_.main();
  return main ? main->document->url : "";
}

void Tab::OnChildAttached(const cdp::TargetAttachedToTarget& event) {
  const auto child = session_->connection().FindSession(event.session_id);
  if (!child) return;
  const std::string& type = event.target_info.type;
  if (type == "iframe") return AdoptFrame(child);
  for (const auto& [name, kind, holds] : kWorkers) {
    if (type != name) continue;
    gate_.Follow(child, holds);
    return AdoptWorker(child, kind);
  }
  // A target that is detached while it waits would wait for ever.
  child->Post(cdp::RuntimeRunIfWaitingForDebugger{});
  session_->Post(cdp::TargetDetachFromTarget{.session_id = event.session_id});
}

void Tab::AdoptFrame(const std::shared_ptr<cdp::Session>& child) {
  WatchChild(child);
  frames_.MoveTo(child->target().target_id, child->target().parent_frame_id.value_or(""), child);
  frames_.Follow(child);
  dialogs_.Follow(child);
  children_.at(child.get()).subscriptions.push_back(FollowFileChoosers(child));
  console_.Follow(child);
  network_.Follow(child, NetworkObserver::SourceKind::kFrame);
  child->Post(cdp::PageEnable{});
  SendCommon(*child);
  gate_.Follow(child, RequestGate::Holds::kRequestsAndSockets);
  SendEmulation(*child, options_, EmulatedTarget::kFrame);
  child->Post(cdp::RuntimeRunIfWaitingForDebugger{});
}

void Tab::AdoptWorker(const std::shared_ptr<cdp::Session>& child,
                      NetworkObserver::SourceKind kind) {
  WatchChild(child);
  console_.Follow(child);
  network_.Follow(child, kind);
  child->Post(cdp::RuntimeEnable{});
  child->Post(cdp::NetworkEnable{});
  SendEmulation(*child, options_, EmulatedTarget::kWorker);
  child->Post(AttachChildren());
  child->Post(cdp::RuntimeRunIfWaitingForDebugger{});
}

void Tab::WatchChild(const std::shared_ptr<cdp::Session>& child) {
  Child entry{.session = child};
  entry.subscriptions.push_back(child->On<cdp::TargetAttachedToTarget>(
      [this](const auto& event) { OnChildAttached(event); }));
  // A worker that is restarted waits for us again.
  entry.subscriptions.push_back(child->On<cdp::InspectorTargetReloadedAfterCrash>(
      [raw = child.get()](const auto&) { raw->Post(cdp::RuntimeRunIfWaitingForDebugger{}); }));
  entry.subscriptions.push_back(
      child->On<cdp::InspectorTargetCrashed>([this, raw = child.get()](const auto&) {
        raw->InterruptCalls(
            Error(ErrorCode::kTabCrashed, "a frame of tab " + id_.value() + " crashed"));
      }));
  entry.subscriptions.push_back(
      child->OnClosed([this, raw = child.get()](const Error&) { OnChildGone(*raw); }));
  children_.emplace(child.get(), std::move(entry));
}

void Tab::OnChildGone(const cdp::Session& child) {
  // The session is telling us so at this moment: it must outlive this call.
  const auto keep_alive = children_.extract(&child);
  if (const auto frame = frames_.OnSessionGone(child)) {
    tasks_.Spawn("tab.frame_gone", RemoveUnlessMoved(this, alive_, frame));
  }
  dialogs_.Unfollow(child);
  console_.Unfollow(child);
  network_.Unfollow(child);
  gate_.Unfollow(child);
  changes_.NotifyAll();
}

// One round trip to the parent's process: had the frame moved there, we would know it by now.
Task<void> Tab::RemoveUnlessMoved(Tab* self, std::weak_ptr<void> alive,
                                  std::shared_ptr<Frame> frame) {
  const auto parent = frame->parent->session;
  if (parent->is_open()) {
    cdp::Connection& connection = parent->connection();
    co_await parent->Send(CallContext(connection.executor(), connection.clock()),
                          cdp::PageEnable{});
  }
  if (!alive.expired() && !frame->session->is_open()) self->frames_.Remove(frame);
}

void Tab::OnCrash() {
  if (phase_ == TabPhase::kClosed) return;
  phase_ = TabPhase::kCrashed;
  session_->Block(Error(ErrorCode::kTabCrashed, "the page of tab " + id_.value() + " crashed"));
  on_crashed_.Emit();
  changes_.NotifyAll();
}

void Tab::OnRevived() {
  if (phase_ == TabPhase::kCrashed) phase_ = TabPhase::kLive;
  session_->Unblock(ErrorCode::kTabCrashed);
  changes_.NotifyAll();
}

void Tab::Close(const Error& reason) {
  if (phase_ == TabPhase::kClosed) return;
  phase_ = TabPhase::kClosed;
  end_ = reason;
  changes_.NotifyAll();
  // Last: whoever is told may let go of the tab.
  on_closed_.Emit();
}

void Tab::SetViewport(const Viewport& viewport) {
  viewport_ = viewport;
  SendViewport(*session_, viewport);
}

}  // namespace falconer::browser
