#pragma once
// LiveViewer: one who watches a session. Belongs to whoever watches; letting go of it ends the
// watching, and the last one ends the screencast.

#include <functional>
#include <memory>
#include <optional>

#include "base/async/notifier.h"
#include "browser/stream/frame_queue.h"
#include "browser/stream/pace.h"
#include "browser/stream/stream_status.h"

namespace falconer::browser {

class LiveViewer {
 public:
  // One of the two.
  struct News {
    std::optional<StreamStatus> status;
    std::shared_ptr<const LiveFrame> frame;
  };

  // `left` is called when the viewer goes.
  LiveViewer(std::size_t queue, std::function<void()> left)
      : queue_(queue), left_(std::move(left)) {}
  ~LiveViewer() { left_(); }
  LiveViewer(const LiveViewer&) = delete;
  LiveViewer& operator=(const LiveViewer&) = delete;

  // What comes next: a change of status before any frame. After the status kEnded nothing comes and
  // it fails with why; also fails like ctx.
  Task<Result<News>> Next(CallContext ctx);
  // The viewer can take so many more frames.
  void Grant(std::uint64_t credits);

  // By the stream. Only the newest status is kept.
  void Offer(std::shared_ptr<const LiveFrame> frame);
  void Tell(const StreamStatus& status);
  void End(Error why);
  // What became of frames since this was asked last.
  ViewerShare TakeShare();

  const FrameQueue& queue() const { return queue_; }

 private:
  FrameQueue queue_;
  std::function<void()> left_;
  std::optional<StreamStatus> status_;
  std::optional<Error> end_;
  ViewerShare told_;
  Notifier changes_;
};

}  // namespace falconer::browser
