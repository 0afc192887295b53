#pragma once
// StreamHub: the streams of all sessions. A viewer joins a session that is open; it never opens
// one.

#include <map>
#include <memory>
#include <vector>

#include "base/async/task_scope.h"
#include "browser/stream/live_stream.h"

namespace falconer::browser {

class StreamHub {
 public:
  // `sessions` and the clock must outlive the hub.
  StreamHub(Executor executor, Clock& clock, SessionManager& sessions, StreamOptions options);
  StreamHub(const StreamHub&) = delete;
  StreamHub& operator=(const StreamHub&) = delete;

  // One more watches that session, for as long as the viewer is held; it must be let go of before
  // the hub goes. kUnsupported when streams are off, kNotFound without such a session, kQueueFull
  // when too many watch already.
  Result<std::shared_ptr<LiveViewer>> Watch(const SessionKey& key);
  // Of a session that nobody watches: nothing.
  std::optional<StreamInfo> InfoOf(const SessionKey& key) const;

  // Ends every stream; viewers are told.
  Task<void> Stop(Error why);

  std::size_t viewers() const;
  // That somebody watches.
  std::size_t streams() const;
  const StreamOptions& options() const { return options_; }

 private:
  Task<void> Serve(SessionKey key, std::shared_ptr<LiveStream> stream);
  void ForgetClosed();

  Executor executor_;
  Clock& clock_;
  SessionManager& sessions_;
  StreamOptions options_;
  // Shared with viewers, which speak to it when they go.
  std::map<SessionKey, std::shared_ptr<LiveStream>> streams_;
  bool is_stopped_ = false;
  TaskScope tasks_;
};

}  // namespace falconer::browser
