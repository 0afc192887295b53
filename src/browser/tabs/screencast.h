#pragma once
// Screencast: the moving picture of one tab, for any number of watchers. The browser sends a frame
// when something changed and waits for a receipt before it sends many more, so a watcher that
// cannot keep up slows the browser down instead of filling memory.

#include <cstdint>
#include <memory>
#include <string>

#include "browser/tabs/tab.h"

namespace falconer::browser {

struct ScreencastOptions {
  // JPEG quality, 0 to 100.
  int quality = 25;
  int max_width = 854;
  int max_height = 480;
  // 1 sends every frame that was drawn (60 in a second), 6 every sixth.
  int every_nth = 1;
  // Frames that may be on their way without a receipt.
  int max_unacked = 2;
};

struct ScreencastFrame {
  // Rises by one; starts at 1 and goes on over restarts.
  std::uint64_t seq = 0;
  std::string jpeg;
  // The page's size in CSS pixels, which the picture shows scaled.
  double device_width = 0;
  double device_height = 0;
  double scroll_x = 0;
  double scroll_y = 0;
  double page_scale = 1;
  // Seconds since 1970, by the browser's clock.
  double timestamp = 0;
};

// Held by a watcher until it is done with a frame. The first watcher that is done lets the browser
// go on: the others take the newest frame when they are ready for one.
class FrameReceipt {
 public:
  FrameReceipt() = default;
  FrameReceipt(FrameReceipt&&) noexcept = default;
  FrameReceipt& operator=(FrameReceipt&& other) noexcept;
  ~FrameReceipt() { Acknowledge(); }
  // Done with the frame; later calls do nothing.
  void Acknowledge();

 private:
  friend class Screencast;
  struct Ack;
  explicit FrameReceipt(std::shared_ptr<Ack> ack) : ack_(std::move(ack)) {}
  std::shared_ptr<Ack> ack_;
};

// Whoever watches. Called on the session's event loop; must not wait.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  virtual void OnFrame(const std::shared_ptr<const ScreencastFrame>& frame,
                       FrameReceipt receipt) = 0;
  // No more frames will come: the tab closed or crashed, the screencast was stopped, or it could
  // not be started (again).
  virtual void OnEnd(const Error& /*reason*/) {}
};

class Screencast {
 public:
  explicit Screencast(std::shared_ptr<Tab> tab);
  // Stops it without waiting.
  ~Screencast();
  Screencast(const Screencast&) = delete;
  Screencast& operator=(const Screencast&) = delete;

  // Begins to send frames, or goes on with other options. kInvalidArgument names an option out of
  // bounds, and nothing changes; kTabClosed, kTabCrashed. Watchers are told when it fails
  // otherwise.
  Task<Result<void>> Start(CallContext ctx, ScreencastOptions options);
  // Watchers are told with kCancelled.
  Task<void> Stop(CallContext ctx);

  // Adds a watcher, which gets the newest frame at once. It must outlive the subscription.
  Subscription Watch(FrameSink& sink);

  bool is_running() const { return is_running_; }
  // The newest frame, or null.
  const std::shared_ptr<const ScreencastFrame>& last() const { return last_; }
  std::size_t watchers() const { return sinks_->size(); }

 private:
  void OnFrame(const cdp::PageScreencastFrame& event);
  void End(const Error& reason);

  std::shared_ptr<Tab> tab_;
  bool is_running_ = false;
  // The browser may still have one, which it must be told to end before another begins: a page that
  // crashed takes nothing with it.
  bool is_begun_ = false;
  std::uint64_t last_seq_ = 0;
  std::shared_ptr<const ScreencastFrame> last_;
  // Shared with subscriptions, which may outlive us.
  std::shared_ptr<std::vector<FrameSink*>> sinks_;
  std::vector<Subscription> subscriptions_;
};

}  // namespace falconer::browser
