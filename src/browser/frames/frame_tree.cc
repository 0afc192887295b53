#include "browser/frames/frame_tree.h"

#include <algorithm>
#include <utility>

namespace falconer::browser {
namespace {

// More uncommitted documents than this in one tab are redirects and aborted loads we may forget.
constexpr std::size_t kMostStatuses = 64;

std::optional<model::LoadState> LoadStateNamed(std::string_view lifecycle) {
  if (lifecycle == "DOMContentLoaded") return model::LoadState::kDomContentLoaded;
  if (lifecycle == "load") return model::LoadState::kLoad;
  return std::nullopt;
}

// A blank or inline document belongs to whoever made it, here to the page around it.
std::string CommittedOrigin(const cdp::Frame& committed, const Frame& frame) {
  const bool is_inherited = committed.url.starts_with("about:") && frame.parent != nullptr;
  return is_inherited ? frame.parent->document->origin : committed.security_origin.value_or("");
}

std::string_view FrameOf(const cdp::ContextDescription& context) {
  if (!context.aux_data) return {};
  const json::value* id = context.aux_data->if_contains("frameId");
  return id != nullptr && id->is_string() ? std::string_view(id->get_string()) : std::string_view();
}

}  // namespace

FrameTree::FrameTree(DocumentCommons& commons, Notifier& changes)
    : commons_(commons), changes_(changes) {
}

// Handlers hold the session weakly: it owns them.
template <typename Event>
void FrameTree::Hear(const std::shared_ptr<cdp::Session>& session,
                     void (FrameTree::*handler)(const std::shared_ptr<cdp::Session>&,
                                                const Event&)) {
  following_[session.get()].push_back(
      session->On<Event>([this, handler, weak = std::weak_ptr(session)](const Event& event) {
        if (const auto from = weak.lock()) (this->*handler)(from, event);
      }));
}

void FrameTree::Follow(const std::shared_ptr<cdp::Session>& session) {
  Hear(session, &FrameTree::OnAttached);
  Hear(session, &FrameTree::OnDetached);
  Hear(session, &FrameTree::OnNavigated);
  Hear(session, &FrameTree::OnNavigatedWithin);
  Hear(session, &FrameTree::OnNavigationRequested);
  Hear(session, &FrameTree::OnStoppedLoading);
  Hear(session, &FrameTree::OnLifecycle);
  Hear(session, &FrameTree::OnContext);
  Hear(session, &FrameTree::OnContextsCleared);
}

void FrameTree::Load(const std::shared_ptr<cdp::Session>& session, const cdp::FrameTree& tree) {
  const cdp::Frame& described = tree.frame;
  Frame* parent = nullptr;
  if (described.parent_id) {
    const auto found = Find(*described.parent_id);
    parent = found ? found.get() : nullptr;
  }
  const auto frame = Attach(described.id, parent, session);
  if (frame->document->loader_id != described.loader_id) Commit(session, described);
  // A tab begins with a page that was never loaded, and nobody will say that it has been.
  if (described.url == model::kBlankUrl)
    frame->document->load_state = model::LoadState::kNetworkIdle;
  for (const cdp::FrameTree& child : tree.child_frames.value_or(std::vector<cdp::FrameTree>())) {
    Load(session, child);
  }
}

std::shared_ptr<Frame> FrameTree::Attach(const std::string& frame_id, Frame* parent,
                                         const std::shared_ptr<cdp::Session>& session) {
  if (const auto known = Find(frame_id)) return known;
  auto frame = std::make_shared<Frame>();
  frame->id = frame_id;
  frame->fid = "f" + std::to_string(++last_fid_);
  frame->parent = parent == nullptr ? nullptr : parent->shared_from_this();
  frame->session = session;
  frame->document = std::make_shared<Document>(
      Document{.ordinal = commons_.NextOrdinal(),
               .origin = parent == nullptr ? "" : parent->document->origin,
               .secrets = commons_.secrets()});
  frames_.emplace(frame_id, frame);
  if (parent != nullptr) {
    parent->children.push_back(frame.get());
  } else if (!main_) {
    main_ = frame;
  }
  return frame;
}

void FrameTree::MoveTo(const std::string& frame_id, const std::string& parent_id,
                       const std::shared_ptr<cdp::Session>& session) {
  const auto parent = Find(parent_id);
  // The parent may have gone while its child was being announced.
  if (!parent) return;
  const auto frame = Attach(frame_id, parent.get(), session);
  DropChildren(*frame);
  frame->session = session;
  frame->document->worlds.clear();
  changes_.NotifyAll();
}

std::shared_ptr<Frame> FrameTree::OnSessionGone(const cdp::Session& session) {
  following_.erase(&session);
  ready_.Clear(session);
  auto frame = Find(session.target().target_id);
  if (!frame || frame->is_main() || frame->session.get() != &session) return nullptr;
  DropChildren(*frame);
  frame->document->worlds.clear();
  changes_.NotifyAll();
  return frame;
}

void FrameTree::Remove(const std::shared_ptr<Frame>& frame) {
  if (Find(frame->id) == frame) Detach(frame->id);
}

std::shared_ptr<Frame> FrameTree::Find(std::string_view frame_id) const {
  const auto found = frames_.find(std::string(frame_id));
  return found == frames_.end() ? nullptr : found->second;
}

std::shared_ptr<Frame> FrameTree::FindByFid(std::string_view fid) const {
  for (const auto& [id, frame] : frames_) {
    if (frame->fid == fid) return frame;
  }
  return nullptr;
}

std::shared_ptr<Frame> FrameTree::FindByDocument(std::uint32_t ordinal) const {
  for (const auto& [id, frame] : frames_) {
    if (frame->document->ordinal == ordinal) return frame;
  }
  return nullptr;
}

std::vector<std::shared_ptr<Frame>> FrameTree::All() const {
  std::vector<std::shared_ptr<Frame>> all;
  if (!main_) return all;
  all.push_back(main_);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const Frame* child : all[i]->children) all.push_back(Find(child->id));
  }
  return all;
}

void FrameTree::Detach(const std::string& frame_id) {
  const auto frame = Find(frame_id);
  if (!frame) return;
  DropChildren(*frame);
  frame->is_detached = true;
  frame->document->End(Error(ErrorCode::kFrameDetached, "the frame is gone"));
  if (frame->parent != nullptr) std::erase(frame->parent->children, frame.get());
  frames_.erase(frame_id);
  ready_.Forget(frame_id);
  changes_.NotifyAll();
}

void FrameTree::DropChildren(Frame& frame) {
  while (!frame.children.empty()) Detach(frame.children.back()->id);
}

std::shared_ptr<Frame> FrameTree::Committing(const std::shared_ptr<cdp::Session>& session,
                                             const cdp::Frame& committed) {
  if (auto known = Find(committed.id)) return known;
  if (committed.parent_id) return nullptr;
  if (!main_) return Attach(committed.id, nullptr, session);
  // A main frame that changed its id is still the tab's main frame.
  auto node = frames_.extract(main_->id);
  node.key() = committed.id;
  frames_.insert(std::move(node));
  main_->id = committed.id;
  return main_;
}

std::shared_ptr<Document> FrameTree::NewDocument(const cdp::Frame& committed, const Frame& frame) {
  auto document = std::make_shared<Document>(
      Document{.ordinal = commons_.NextOrdinal(),
               .loader_id = committed.loader_id,
               .url = committed.url + committed.url_fragment.value_or(""),
               .origin = CommittedOrigin(committed, frame),
               .mime_type = committed.mime_type.value_or(""),
               .is_error_page = committed.unreachable_url.has_value(),
               .unreachable_url = committed.unreachable_url.value_or(""),
               .secrets = commons_.secrets()});
  if (const auto status = statuses_.extract(committed.loader_id))
    document->status = status.mapped();
  return document;
}

void FrameTree::Commit(const std::shared_ptr<cdp::Session>& session, const cdp::Frame& committed) {
  const auto frame = Committing(session, committed);
  if (!frame) return;
  if (frame->session != session && frame->session->is_open() && !frame->is_main()) return;
  DropChildren(*frame);
  frame->document->End(Error(ErrorCode::kContextDestroyed, "the page has navigated away"));
  frame->document = NewDocument(committed, *frame);
  frame->name = committed.name.value_or("");
  // An error page may commit while a newer navigation is already under way: that one stays pending.
  if (frame->pending_loader == committed.loader_id) frame->pending_loader.reset();
  frame->is_navigation_requested = false;
  on_document_.Emit(*frame);
  changes_.NotifyAll();
}

void FrameTree::OnNavigated(const std::shared_ptr<cdp::Session>& session,
                            const cdp::PageFrameNavigated& event) {
  Commit(session, event.frame);
}

void FrameTree::OnNavigatedWithin(const std::shared_ptr<cdp::Session>& session,
                                  const cdp::PageNavigatedWithinDocument& event) {
  const auto frame = Owned(event.frame_id, *session);
  if (!frame) return;
  frame->document->url = event.url;
  ++frame->document->address_changes;
  frame->is_navigation_requested = false;
  changes_.NotifyAll();
}

void FrameTree::OnNavigationRequested(const std::shared_ptr<cdp::Session>& session,
                                      const cdp::PageFrameRequestedNavigation& event) {
  const auto frame = Owned(event.frame_id, *session);
  if (!frame || event.disposition == "download") return;
  if (event.disposition != "currentTab") return on_new_tab_requested_.Emit();
  frame->is_navigation_requested = true;
  changes_.NotifyAll();
}

void FrameTree::OnStoppedLoading(const std::shared_ptr<cdp::Session>& session,
                                 const cdp::PageFrameStoppedLoading& event) {
  const auto frame = Owned(event.frame_id, *session);
  if (!frame) return;
  frame->is_navigation_requested = false;
  frame->pending_loader.reset();
  changes_.NotifyAll();
}

void FrameTree::OnLifecycle(const std::shared_ptr<cdp::Session>& session,
                            const cdp::PageLifecycleEvent& event) {
  const auto frame = Owned(event.frame_id, *session);
  const auto state = LoadStateNamed(event.name);
  // Enabling lifecycle events replays those of earlier documents.
  if (!frame || !state || frame->document->loader_id != event.loader_id) return;
  frame->document->load_state = std::max(frame->document->load_state, *state);
  changes_.NotifyAll();
}

void FrameTree::OnContext(const std::shared_ptr<cdp::Session>& session,
                          const cdp::RuntimeExecutionContextCreated& event) {
  // It may be announced before its frame, and lasts when that one's first document is replaced.
  if (event.context.name == kReadyWorld)
    ready_.Note(session, event.context, std::string(FrameOf(event.context)));
  const auto frame = Owned(FrameOf(event.context), *session);
  if (!frame) return;
  if (event.context.name == kReadyWorld && frame->is_main()) {
    frame->document->worlds[std::string(kScriptWorld)] =
        World{.unique_context_id = event.context.unique_id, .has_bundle = true};
  }
  for (const std::string_view world : {kScriptWorld, kGuestWorld}) {
    if (event.context.name != frame->document->WorldName(world)) continue;
    frame->document->worlds[std::string(world)] =
        World{.unique_context_id = event.context.unique_id};
  }
}

void FrameTree::OnContextsCleared(const std::shared_ptr<cdp::Session>& session,
                                  const cdp::RuntimeExecutionContextsCleared& /*event*/) {
  ready_.Clear(*session);
  for (const auto& [id, frame] : frames_) {
    if (frame->session == session) frame->document->worlds.clear();
  }
  changes_.NotifyAll();
}

void FrameTree::OnAttached(const std::shared_ptr<cdp::Session>& session,
                           const cdp::PageFrameAttached& event) {
  if (const auto known = Find(event.frame_id)) {
    // The frame came back into its parent's process.
    if (known->session == session) return;
    DropChildren(*known);
    known->session = session;
    known->document->worlds.clear();
    return changes_.NotifyAll();
  }
  const auto parent = Find(event.parent_frame_id);
  if (!parent) return;
  Attach(event.frame_id, parent.get(), session);
  changes_.NotifyAll();
}

void FrameTree::OnDetached(const std::shared_ptr<cdp::Session>& session,
                           const cdp::PageFrameDetached& event) {
  const auto frame = Owned(event.frame_id, *session);
  if (!frame) return;
  if (event.reason == "swap") {
    // It moves to another process and keeps its identity; what is inside does not.
    DropChildren(*frame);
    frame->document->worlds.clear();
    return changes_.NotifyAll();
  }
  Detach(event.frame_id);
}

std::shared_ptr<Frame> FrameTree::Owned(std::string_view frame_id,
                                        const cdp::Session& session) const {
  const auto frame = Find(frame_id);
  return frame && frame->session.get() == &session ? frame : nullptr;
}

void FrameTree::NoteStatus(const std::string& loader_id, int status) {
  for (const auto& [id, frame] : frames_) {
    if (frame->document->loader_id == loader_id) frame->document->status = status;
  }
  if (statuses_.size() >= kMostStatuses) statuses_.clear();
  statuses_[loader_id] = status;
}

void FrameTree::NoteNavigationRequest(const std::string& frame_id, const std::string& loader_id) {
  const auto frame = Find(frame_id);
  if (!frame || frame->document->loader_id == loader_id) return;
  frame->pending_loader = loader_id;
  frame->is_navigation_requested = false;
  changes_.NotifyAll();
}

void FrameTree::NoteNavigationFailed(const std::string& loader_id) {
  for (const auto& [id, frame] : frames_) {
    if (frame->pending_loader == loader_id) frame->pending_loader.reset();
  }
  changes_.NotifyAll();
}

void FrameTree::NoteStayed() {
  if (!main_) return;
  main_->is_navigation_requested = false;
  main_->pending_loader.reset();
  changes_.NotifyAll();
}

}  // namespace falconer::browser
