// The moving picture of a real page.

#include "browser/tabs/screencast.h"

#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using browser::FrameReceipt;
using browser::Screencast;
using browser::ScreencastFrame;

class Watcher final : public browser::FrameSink {
 public:
  void OnFrame(const std::shared_ptr<const ScreencastFrame>& frame, FrameReceipt receipt) override {
    last = frame;
    ++count;
    if (holds_receipts) held.push_back(std::move(receipt));
    changes.NotifyAll();
  }
  void OnEnd(const Error& reason) override {
    end = reason.code();
    changes.NotifyAll();
  }

  Task<void> UntilFrames(CallContext ctx, std::size_t wanted) {
    const auto seen = co_await changes.Until(
        ctx.WithTimeout(std::chrono::seconds(15)), [this, wanted] { return count >= wanted; },
        "frames");
    EXPECT_TRUE(seen) << Why(seen) << " got " << count;
  }
  Task<void> UntilEnd(CallContext ctx) {
    const auto seen = co_await changes.Until(
        ctx.WithTimeout(std::chrono::seconds(15)), [this] { return end.has_value(); }, "the end");
    EXPECT_TRUE(seen) << Why(seen);
  }

  std::shared_ptr<const ScreencastFrame> last;
  std::size_t count = 0;
  std::optional<ErrorCode> end;
  bool holds_receipts = false;
  std::vector<FrameReceipt> held;
  Notifier changes;
};

// Changes the page for ever, once per drawn frame.
constexpr std::string_view kRestless =
    "<body><script>let n = 0; (function step() { document.body.style.background = `rgb(${n++ % "
    "256},0,0)`; "
    "requestAnimationFrame(step); })()</script>";

BROWSER_TEST(ScreencastTest, SendsPicturesOfThePage) {
  t.site.Serve("/tall", "<body style='height:5000px'>tall");
  co_await t.Open("/tall");
  Screencast cast(t.tab());
  Watcher watcher;
  const auto watching = cast.Watch(watcher);
  const auto started = co_await cast.Start(t.ctx, {});
  EXPECT_TRUE(started) << Why(started);
  co_await watcher.UntilFrames(t.ctx, 1);
  if (!watcher.last) co_return;
  EXPECT_TRUE(watcher.last->jpeg.starts_with("\xff\xd8")) << "not a JPEG";
  EXPECT_EQ(watcher.last->device_width, 1440);
  EXPECT_EQ(watcher.last->device_height, 900);
  EXPECT_GT(watcher.last->timestamp, 1.7e9);

  co_await t.Page("void scrollTo(0, 300)");
  const auto scrolled = co_await watcher.changes.Until(
      t.ctx.WithTimeout(std::chrono::seconds(15)), [&] { return watcher.last->scroll_y == 300; },
      "the scrolled picture");
  EXPECT_TRUE(scrolled) << Why(scrolled) << " " << watcher.last->scroll_y;

  Watcher late;
  const auto joined = cast.Watch(late);
  EXPECT_EQ(late.last, watcher.last);
  co_await cast.Stop(t.ctx);
  EXPECT_EQ(late.end, ErrorCode::kCancelled);
}

BROWSER_TEST(ScreencastTest, ASlowWatcherHoldsTheBrowserBack) {
  t.site.Serve("/restless", std::string(kRestless));
  co_await t.Open("/restless");
  Screencast cast(t.tab());
  Watcher watcher;
  watcher.holds_receipts = true;
  const auto watching = cast.Watch(watcher);
  const auto started = co_await cast.Start(t.ctx, {.max_unacked = 2});
  co_await watcher.UntilFrames(t.ctx, 2);
  // The page has drawn thirty more frames since: none of them was sent.
  co_await t.Page(
      "new Promise(done => { let n = 0; (function f() { ++n > 30 ? done() : "
      "requestAnimationFrame(f); })(); })");
  EXPECT_EQ(watcher.count, 2U);

  watcher.holds_receipts = false;
  watcher.held.clear();
  co_await watcher.UntilFrames(t.ctx, 10);
}

BROWSER_TEST(ScreencastTest, GoesOnAfterANavigationToAnotherSite) {
  co_await t.Open("/empty.html");
  Screencast cast(t.tab());
  Watcher watcher;
  const auto watching = cast.Watch(watcher);
  const auto started = co_await cast.Start(t.ctx, {});
  co_await watcher.UntilFrames(t.ctx, 1);
  t.site.Serve("/restless", std::string(kRestless));
  co_await t.Open(t.site.CrossSiteUrl("/restless"));
  co_await watcher.UntilFrames(t.ctx, watcher.count + 5);
}

BROWSER_TEST(ScreencastTest, EndsWithItsTab) {
  const auto tab = co_await t.session->tabs().Open(t.ctx);
  Screencast cast(*tab);
  Watcher watcher;
  const auto watching = cast.Watch(watcher);
  const auto started = co_await cast.Start(t.ctx, {});
  EXPECT_TRUE(started) << Why(started);
  const auto closed = co_await t.session->tabs().Close(t.ctx, (*tab)->id());
  EXPECT_TRUE(closed) << Why(closed);
  EXPECT_EQ(watcher.end, ErrorCode::kTabClosed);
}

BROWSER_TEST(ScreencastTest, EndsWhenThePageCrashes) {
  co_await t.Open("/empty.html");
  Screencast cast(t.tab());
  Watcher watcher;
  const auto watching = cast.Watch(watcher);
  const auto started = co_await cast.Start(t.ctx, {});
  t.tab()->session()->Post(cdp::PageNavigate{.url = "chrome://crash"});
  co_await watcher.UntilEnd(t.ctx);
  EXPECT_EQ(watcher.end, ErrorCode::kTabCrashed);
}

}  // namespace
}  // namespace falconer::test
