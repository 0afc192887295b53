#pragma once
// TabCast: shows one tab to a stream: its screencast at the stream's pace, with secrets covered.
// A picture of which nobody can tell what it shows is not passed on; another is asked for.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "browser/stream/pace.h"
#include "browser/stream/secret_trail.h"
#include "browser/tabs/screencast.h"

namespace falconer::browser {

// A picture that may be seen.
struct ShownPicture {
  std::string jpeg;
  Bitmap::Size size;
  // The window, in CSS pixels.
  int view_width = 0;
  int view_height = 0;
};

class TabCast final : public FrameSink {
 public:
  struct Sinks {
    std::function<void(ShownPicture)> show;
    // Nothing can be shown for now.
    std::function<void(const Error&)> hide;
  };

  // `pace` must outlive the cast. Widths are those of the picture.
  TabCast(std::shared_ptr<Tab> tab, const Pace& pace, int max_width, Sinks sinks);
  ~TabCast() override;

  // Shows the tab until ctx ends.
  Task<void> Run(CallContext ctx);

  void OnFrame(const std::shared_ptr<const ScreencastFrame>& frame, FrameReceipt receipt) override;
  void OnEnd(const Error& reason) override;

 private:
  // Returns with the reason why nothing can be told any more.
  Task<Error> Show(CallContext ctx);
  Task<Result<void>> Begin(CallContext ctx);
  // One frame, or one more look.
  Task<Result<void>> Step(CallContext ctx);
  // Whether the page is thought to move, or to stand still.
  enum class Motion { kMoving, kStill };
  Task<Result<void>> LookAgain(CallContext ctx, Motion motion);
  Task<Result<void>> Restart(CallContext ctx, Motion motion);
  // A frame, or that it is time to look again.
  Task<Result<void>> Await(CallContext ctx);
  Duration Patience() const;
  Task<Result<void>> Pass(CallContext ctx);
  Result<void> Publish(const std::string& jpeg, const CoverPlan& plan);
  static Task<void> Pause(CallContext ctx, Duration time);
  ScreencastOptions Options() const;

  std::shared_ptr<Tab> tab_;
  const Pace& pace_;
  int max_width_;
  Sinks sinks_;
  Screencast cast_;
  Subscription watching_;
  SecretTrail trail_;
  std::shared_ptr<const ScreencastFrame> newest_;
  FrameReceipt receipt_;
  std::optional<Error> ended_;
  // What viewers see.
  std::string shown_;
  int used_quality_ = 0;
  // Begun anew, and the picture of now has not come yet.
  bool is_fresh_due_ = false;
  Motion motion_ = Motion::kMoving;
  // The last picture showed nothing new, and no change after it can have been missed.
  bool is_confirmed_ = false;
  Notifier changes_;
};

}  // namespace falconer::browser
