#include "browser/stream/tab_cast.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace falconer::browser {
namespace {

// What is drawn while as many frames as this have no receipt is never sent by itself. While a page
// moves one is enough: the next one is drawn when it is wanted. Of a page that stands still a
// second one tells that it has changed meanwhile.
constexpr int kUnackedMoving = 1;
constexpr int kUnackedStill = 2;
// After so long without a frame one is asked for, until it shows nothing new.
constexpr auto kLull = std::chrono::milliseconds(60);
// Longer than the trail of secrets.
constexpr auto kFadeTime = std::chrono::milliseconds(2100);
// A still page is looked at all the same: what follows its secrets does so for a limited time.
constexpr auto kStillTime = std::chrono::seconds(10);
constexpr auto kRetryTime = std::chrono::milliseconds(200);
// Until the browser answers a beginning with a picture.
constexpr auto kFreshTime = std::chrono::seconds(10);
constexpr auto kCastStopTime = std::chrono::seconds(1);

// To look for secrets takes the page's own time: at most one part in this many, and in a large page
// at most so long a pause for it.
constexpr int kLookShare = 4;
constexpr Duration kMostLook = std::chrono::seconds(2);

// Since the browser took the picture, by its own clock, which is ours.
Duration AgeOf(const ScreencastFrame& frame, const Clock& clock) {
  const std::chrono::duration<double> now = clock.WallNow().time_since_epoch();
  const std::chrono::duration<double> age = now - std::chrono::duration<double>(frame.timestamp);
  return std::chrono::duration_cast<Duration>(std::max(age, age.zero()));
}

int WholePixels(double value) {
  return static_cast<int>(std::lround(value));
}

}  // namespace

TabCast::TabCast(std::shared_ptr<Tab> tab, const Pace& pace, int max_width, Sinks sinks)
    : tab_(std::move(tab)),
      pace_(pace),
      max_width_(max_width),
      sinks_(std::move(sinks)),
      cast_(tab_),
      watching_(cast_.Watch(*this)),
      trail_(tab_) {
}

TabCast::~TabCast() = default;

// Between two tries nothing is taken, so that no picture of an earlier moment is left over.
Task<void> TabCast::Run(CallContext ctx) {
  while (!ctx.cancel().is_cancelled()) {
    const Error failed = co_await Show(ctx);
    const auto answers = tab_->Answers();
    const Error& why = answers ? failed : answers.error();
    // A page that gives way to the next is seen until that one is.
    const bool gives_way = why.code() == ErrorCode::kContextDestroyed && !shown_.empty();
    if (!ctx.cancel().is_cancelled() && !gives_way) sinks_.hide(why);
    shown_.clear();
    receipt_ = FrameReceipt();
    co_await cast_.Stop(CallContext(ctx.executor(), ctx.clock()).WithTimeout(kCastStopTime));
    co_await Pause(ctx, kRetryTime);
  }
}

Task<Error> TabCast::Show(CallContext ctx) {
  auto done = co_await Begin(ctx);
  while (done) done = co_await Step(ctx);
  co_return done.error();
}

// A tab that is still opening has no page that could be followed.
Task<Result<void>> TabCast::Begin(CallContext ctx) {
  CO_TRY(co_await tab_->Ready(ctx));
  CO_TRY(tab_->Alive());
  CO_TRY(tab_->Answers());
  if (!tab_->frames().main()) co_return Fail(ErrorCode::kTabCrashed, "the tab has no page");
  CO_TRY(co_await trail_.Begin(ctx));
  co_return co_await Restart(std::move(ctx), Motion::kMoving);
}

Task<Result<void>> TabCast::Step(CallContext ctx) {
  const auto came = co_await Await(ctx);
  if (ended_) co_return std::unexpected(*ended_);
  if (!came && came.error().code() != ErrorCode::kTimeout) co_return came;
  if (!came && is_fresh_due_)
    co_return Fail(ErrorCode::kTimeout, "the browser sends no picture of the tab");
  if (!came) co_return co_await LookAgain(std::move(ctx), Motion::kStill);
  CO_TRY(co_await Pass(ctx));
  // One that came meanwhile is old by now, and hides what was drawn after it.
  if (!newest_ && pace_.quality() == used_quality_) co_return Result<void>();
  co_return co_await LookAgain(std::move(ctx), Motion::kMoving);
}

// What is seen may be older than what is known of the page: first it is drawn anew.
Task<Result<void>> TabCast::LookAgain(CallContext ctx, Motion motion) {
  CO_TRY(co_await trail_.Redrawn(ctx));
  co_return co_await Restart(std::move(ctx), motion);
}

ScreencastOptions TabCast::Options() const {
  return {.quality = pace_.quality(),
          .max_width = max_width_,
          .max_height = max_width_ * 9 / 16,
          .every_nth = 1,
          .max_unacked = motion_ == Motion::kMoving ? kUnackedMoving : kUnackedStill};
}

// Begins anew, which the browser answers with a picture of now.
Task<Result<void>> TabCast::Restart(CallContext ctx, Motion motion) {
  motion_ = motion;
  newest_.reset();
  receipt_ = FrameReceipt();
  ended_.reset();
  is_fresh_due_ = true;
  const ScreencastOptions options = Options();
  used_quality_ = options.quality;
  co_return co_await cast_.Start(std::move(ctx), options);
}

Task<Result<void>> TabCast::Await(CallContext ctx) {
  co_return co_await changes_.Until(
      ctx.WithTimeout(Patience()), [this] { return newest_ || ended_; }, "a frame");
}

Duration TabCast::Patience() const {
  if (is_fresh_due_) return kFreshTime;
  if (!is_confirmed_) return kLull;
  return trail_.is_fading() ? Duration(kFadeTime) : Duration(kStillTime);
}

// The receipt is what makes the browser go on, so it is kept for as long as the pace says.
Task<Result<void>> TabCast::Pass(CallContext ctx) {
  const auto frame = std::exchange(newest_, nullptr);
  is_fresh_due_ = false;
  FrameReceipt receipt = std::move(receipt_);
  const TimePoint came = ctx.clock().Now();
  CO_TRY_ASSIGN(const CoverPlan plan, co_await trail_.Cover(ctx, AgeOf(*frame, ctx.clock())));
  const Duration looked = ctx.clock().Now() - came;
  if (plan.areas.empty()) {
    CO_TRY(Publish(frame->jpeg, plan));
  } else {
    CO_TRY_ASSIGN(const std::string covered, CoverPicture(frame->jpeg, plan, used_quality_));
    CO_TRY(Publish(covered, plan));
  }
  const Duration interval = std::max(pace_.interval(), std::min(looked * kLookShare, kMostLook));
  co_await Pause(ctx, came + interval - ctx.clock().Now());
  receipt.Acknowledge();
  co_return Result<void>();
}

Result<void> TabCast::Publish(const std::string& jpeg, const CoverPlan& plan) {
  const bool is_new = jpeg != shown_;
  is_confirmed_ = !is_new && motion_ == Motion::kStill;
  if (!is_new) return {};
  TRY_ASSIGN(const auto size, Bitmap::SizeOf(jpeg, model::ImageFormat::kJpeg));
  shown_ = jpeg;
  sinks_.show({.jpeg = jpeg,
               .size = size,
               .view_width = WholePixels(plan.view_width),
               .view_height = WholePixels(plan.view_height)});
  return {};
}

Task<void> TabCast::Pause(CallContext ctx, Duration time) {
  if (time <= Duration::zero()) co_return;
  Alarm never(ctx.executor(), ctx.clock());
  static_cast<void>(co_await ctx.WithTimeout(time).Wait(&never, "the next frame"));
}

void TabCast::OnFrame(const std::shared_ptr<const ScreencastFrame>& frame, FrameReceipt receipt) {
  newest_ = frame;
  receipt_ = std::move(receipt);
  changes_.NotifyAll();
}

void TabCast::OnEnd(const Error& reason) {
  ended_ = reason;
  changes_.NotifyAll();
}

}  // namespace falconer::browser
