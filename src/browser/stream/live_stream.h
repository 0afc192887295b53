#pragma once
// LiveStream: the moving picture of one session, for all who watch it. There is one screencast,
// however many watch; it begins with the first viewer and ends with the last. It follows the active
// tab, and goes on with the session's next browser when one is lost.

#include <memory>
#include <optional>
#include <vector>

#include "base/async/notifier.h"
#include "browser/session_manager.h"
#include "browser/stream/live_viewer.h"
#include "browser/stream/stream_options.h"
#include "browser/stream/tab_cast.h"

namespace falconer::browser {

// What is known of a stream.
struct StreamInfo {
  StreamStatus status;
  std::size_t viewers = 0;
  std::uint64_t frames = 0;
  // Frames that viewers who watch now were too slow for.
  std::uint64_t dropped = 0;
  int quality = 0;
  double max_fps = 0;
};

class LiveStream {
 public:
  // `sessions` and the clock must outlive the stream.
  LiveStream(Executor executor, Clock& clock, SessionManager& sessions, SessionKey key,
             const StreamOptions& options);
  LiveStream(const LiveStream&) = delete;
  LiveStream& operator=(const LiveStream&) = delete;

  // One more watches, beginning with the picture of now. The viewer must not outlive the stream.
  std::shared_ptr<LiveViewer> Join();
  // Shows the session for as long as somebody watches, and can be run again for those who come
  // later: they begin with the picture that was last seen. Once at a time.
  Task<void> Run();
  bool is_running() const { return is_running_; }
  // Viewers are told, and Run() returns.
  void End(Error why);

  bool is_over() const { return end_.has_value(); }
  std::size_t viewers() const { return viewers_.size(); }
  StreamInfo Info() const;

 private:
  Task<void> ShowSession(std::shared_ptr<Session> session);
  Task<void> ShowTab(std::shared_ptr<Session> session, std::shared_ptr<Tab> tab);
  Task<void> AwaitBrowser();
  Task<void> AwaitPage(std::shared_ptr<Session> session, Error why);
  Task<void> WakeWhenBack(CallContext ctx, std::shared_ptr<Tab> tab);
  std::vector<Subscription> Follow(Session& session);
  // The session while its browser lives, or null.
  std::shared_ptr<Session> OpenSession() const;
  bool is_wanted() const { return !viewers_.empty() && !end_; }

  void Show(const Tab& tab, ShownPicture picture);
  void Hide(const Tab& tab, const Error& why);
  void Tell(StreamStatus status);
  void KeepPace();
  void ForgetGone();

  Executor executor_;
  Clock& clock_;
  SessionManager& sessions_;
  SessionKey key_;
  StreamOptions options_;
  Pace pace_;
  std::vector<std::weak_ptr<LiveViewer>> viewers_;
  std::shared_ptr<const LiveFrame> last_;
  // The session that `last_` shows, and the address of its page.
  std::weak_ptr<Session> shown_;
  std::string shown_url_;
  bool is_running_ = false;
  StreamStatus status_;
  std::uint64_t last_seq_ = 0;
  TimePoint stretch_began_;
  std::optional<Error> end_;
  Subscription opened_;
  Notifier changes_;
};

}  // namespace falconer::browser
