#pragma once
// FrameTree: the frames of one tab across all processes that show parts of it, kept true by the
// browser's events.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/async/notifier.h"
#include "browser/frames/document_commons.h"
#include "browser/frames/frame.h"
#include "browser/frames/ready_worlds.h"

namespace falconer::browser {

// The world Falconer's own script runs in. Page code can neither see nor change it.
inline constexpr std::string_view kScriptWorld = "falconer";
// The same world as the browser makes it by itself, script included, when a main frame gets a
// document.
inline constexpr std::string_view kReadyWorld = "falconer-ready";
// The world that callers' expressions run in, apart from Falconer's own.
inline constexpr std::string_view kGuestWorld = "falconer-guest";

class FrameTree {
 public:
  // `changes` is notified after every change.
  FrameTree(DocumentCommons& commons, Notifier& changes);
  FrameTree(const FrameTree&) = delete;
  FrameTree& operator=(const FrameTree&) = delete;

  // Follows the events of a session: the page's own, or that of a frame in another process.
  void Follow(const std::shared_ptr<cdp::Session>& session);
  // Builds the tree below `session` from the browser's answer.
  void Load(const std::shared_ptr<cdp::Session>& session, const cdp::FrameTree& tree);
  // A frame moved into the process behind `session` (target id == frame id).
  void MoveTo(const std::string& frame_id, const std::string& parent_id,
              const std::shared_ptr<cdp::Session>& session);
  // The process behind a frame's session went away. Returns the frame if it has no other: it was
  // removed, or it is on its way back into its parent's process, and stays until that is known.
  std::shared_ptr<Frame> OnSessionGone(const cdp::Session& session);
  // It is not coming back.
  void Remove(const std::shared_ptr<Frame>& frame);

  // Null before the first Load().
  std::shared_ptr<Frame> main() const { return main_; }
  std::shared_ptr<Frame> Find(std::string_view frame_id) const;
  std::shared_ptr<Frame> FindByFid(std::string_view fid) const;
  // The frame that shows the document with this number, or null.
  std::shared_ptr<Frame> FindByDocument(std::uint32_t ordinal) const;
  // The frame whose ready world has this number in the session's process, or null.
  std::shared_ptr<Frame> FindByReadyContext(const cdp::Session& session,
                                            std::int64_t number) const {
    return Find(ready_.FrameOf(session, number));
  }
  const ReadyWorlds& ready_worlds() const { return ready_; }
  // All frames, parents before children, siblings in the order they were attached.
  std::vector<std::shared_ptr<Frame>> All() const;

  // Told when a frame shows a new document.
  EventHub<const Frame&>& on_document() { return on_document_; }
  // Told when a frame asks for a page in another tab, as a click with Control held does.
  EventHub<>& on_new_tab_requested() { return on_new_tab_requested_; }

  // The response of a document's request, as the network saw it.
  void NoteStatus(const std::string& loader_id, int status);
  // The request of a document navigation has started.
  void NoteNavigationRequest(const std::string& frame_id, const std::string& loader_id);
  void NoteNavigationFailed(const std::string& loader_id);
  // The page was not left after all.
  void NoteStayed();

 private:
  std::shared_ptr<Frame> Attach(const std::string& frame_id, Frame* parent,
                                const std::shared_ptr<cdp::Session>& session);
  void Detach(const std::string& frame_id);
  void DropChildren(Frame& frame);
  void Commit(const std::shared_ptr<cdp::Session>& session, const cdp::Frame& committed);
  // The frame that a document is committed into; null when it is a child that is gone.
  std::shared_ptr<Frame> Committing(const std::shared_ptr<cdp::Session>& session,
                                    const cdp::Frame& committed);
  std::shared_ptr<Document> NewDocument(const cdp::Frame& committed, const Frame& frame);
  // Calls `handler` for every such event of the session while it is followed.
  template <typename Event>
  void Hear(const std::shared_ptr<cdp::Session>& session,
            void (FrameTree::*handler)(const std::shared_ptr<cdp::Session>&, const Event&));
  void OnAttached(const std::shared_ptr<cdp::Session>& session,
                  const cdp::PageFrameAttached& event);
  void OnDetached(const std::shared_ptr<cdp::Session>& session,
                  const cdp::PageFrameDetached& event);
  void OnNavigated(const std::shared_ptr<cdp::Session>& session,
                   const cdp::PageFrameNavigated& event);
  void OnNavigatedWithin(const std::shared_ptr<cdp::Session>& session,
                         const cdp::PageNavigatedWithinDocument& event);
  void OnNavigationRequested(const std::shared_ptr<cdp::Session>& session,
                             const cdp::PageFrameRequestedNavigation& event);
  void OnStoppedLoading(const std::shared_ptr<cdp::Session>& session,
                        const cdp::PageFrameStoppedLoading& event);
  void OnLifecycle(const std::shared_ptr<cdp::Session>& session,
                   const cdp::PageLifecycleEvent& event);
  void OnContext(const std::shared_ptr<cdp::Session>& session,
                 const cdp::RuntimeExecutionContextCreated& event);
  void OnContextsCleared(const std::shared_ptr<cdp::Session>& session,
                         const cdp::RuntimeExecutionContextsCleared& event);
  // Events of a process that no longer shows the frame are stale.
  std::shared_ptr<Frame> Owned(std::string_view frame_id, const cdp::Session& session) const;

  DocumentCommons& commons_;
  Notifier& changes_;
  std::shared_ptr<Frame> main_;
  std::unordered_map<std::string, std::shared_ptr<Frame>> frames_;
  ReadyWorlds ready_;
  // Statuses of documents that have not committed yet, by loader.
  std::unordered_map<std::string, int> statuses_;
  std::uint32_t last_fid_ = 0;
  std::unordered_map<const cdp::Session*, std::vector<Subscription>> following_;
  EventHub<const Frame&> on_document_;
  EventHub<> on_new_tab_requested_;
};

}  // namespace falconer::browser
