#include "browser/tabs/screencast.h"

#include <vector>

#include "base/base64.h"
#include "tests/support/co_test.h"
#include "tests/support/fake_browser.h"
#include "tests/support/settle.h"

namespace falconer::browser {
namespace {

using test::FakeBrowser;
using test::Settle;

// Keeps what it is shown, and its receipts until told otherwise.
class Watcher final : public FrameSink {
 public:
  void OnFrame(const std::shared_ptr<const ScreencastFrame>& frame, FrameReceipt receipt) override {
    frames.push_back(frame);
    receipts.push_back(std::move(receipt));
  }
  void OnEnd(const Error& reason) override { end = reason.code(); }

  std::vector<std::shared_ptr<const ScreencastFrame>> frames;
  std::vector<FrameReceipt> receipts;
  std::optional<ErrorCode> end;
};

struct ScreencastBench {
  explicit ScreencastBench(CallContext c) : ctx(std::move(c)), fake(ctx.executor()) {}

  Task<void> Open() {
    auto attached = co_await fake.Attach(ctx);
    browser = *std::move(attached);
    auto opened = co_await browser->NewSession(ctx, SessionId("s"), {});
    session = *std::move(opened);
    cast = std::make_unique<Screencast>(*session->tabs().Active());
  }
  void Frame(int number, std::string_view data = "jpeg") {
    fake.peer().Event(
        fake.last_page(), "Page.screencastFrame",
        R"({"data": ")" + EncodeBase64(data) + R"(", "sessionId": )" + std::to_string(number) +
            R"(, "metadata": {"deviceWidth": 1440, "deviceHeight": 900, "scrollOffsetX": 0,
                              "scrollOffsetY": 120, "pageScaleFactor": 1, "offsetTop": 0, "timestamp": 1.5}})");
  }
  std::size_t acks() { return fake.peer().CountOf("Page.screencastFrameAck"); }

  CallContext ctx;
  FakeBrowser fake;
  std::unique_ptr<Browser> browser;
  std::shared_ptr<Session> session;
  std::unique_ptr<Screencast> cast;
};

CO_TEST(ScreencastTest, DeliversDecodedFramesWithWhatIsKnownOfThem) {
  ScreencastBench bench(ctx);
  co_await bench.Open();
  Watcher watcher;
  const auto watching = bench.cast->Watch(watcher);
  const auto started = co_await bench.cast->Start(ctx, {.quality = 40, .max_unacked = 3});
  EXPECT_TRUE(started);
  EXPECT_EQ(bench.fake.peer().LastOf("Page.startScreencast").params,
            *ParseJsonObject(R"({"format": "jpeg", "quality": 40, "maxWidth": 854, "maxHeight": 480,
                                 "everyNthFrame": 1, "maxFramesInFlight": 3})"));
  bench.Frame(7, std::string_view("\xff\xd8\x00", 3));
  EXPECT_EQ(watcher.frames.size(), 1U);
  if (watcher.frames.empty()) co_return;
  const ScreencastFrame& frame = *watcher.frames[0];
  EXPECT_EQ(frame.seq, 1U);
  EXPECT_EQ(frame.jpeg, std::string("\xff\xd8\x00", 3));
  EXPECT_EQ(frame.device_width, 1440);
  EXPECT_EQ(frame.scroll_y, 120);
  EXPECT_EQ(frame.timestamp, 1.5);
}

CO_TEST(ScreencastTest, TheFirstWatcherThatIsDoneLetsTheBrowserGoOn) {
  ScreencastBench bench(ctx);
  co_await bench.Open();
  Watcher quick;
  Watcher slow;
  const auto one = bench.cast->Watch(quick);
  const auto two = bench.cast->Watch(slow);
  const auto started = co_await bench.cast->Start(ctx, {});
  bench.Frame(7);
  EXPECT_EQ(bench.acks(), 0U);
  quick.receipts.clear();
  EXPECT_EQ(bench.acks(), 1U);
  EXPECT_EQ(bench.fake.peer().LastOf("Page.screencastFrameAck").params.at("sessionId"), 7);
  slow.receipts.clear();
  EXPECT_EQ(bench.acks(), 1U);
}

CO_TEST(ScreencastTest, FramesThatNobodyWatchesAreAcknowledged) {
  ScreencastBench bench(ctx);
  co_await bench.Open();
  const auto started = co_await bench.cast->Start(ctx, {});
  bench.Frame(1);
  EXPECT_EQ(bench.acks(), 1U);
  bench.fake.peer().Event(bench.fake.last_page(), "Page.screencastFrame",
                          R"({"data": "not base64!", "sessionId": 2, "metadata": {}})");
  EXPECT_EQ(bench.acks(), 2U);
}

CO_TEST(ScreencastTest, ALateWatcherGetsTheNewestFrame) {
  ScreencastBench bench(ctx);
  co_await bench.Open();
  const auto started = co_await bench.cast->Start(ctx, {});
  bench.Frame(1, "old");
  bench.Frame(2, "new");
  Watcher late;
  const auto watching = bench.cast->Watch(late);
  EXPECT_EQ(late.frames.size(), 1U);
  if (!late.frames.empty()) EXPECT_EQ(late.frames[0]->jpeg, "new");
}

CO_TEST(ScreencastTest, AWatcherThatLeftHearsNothing) {
  ScreencastBench bench(ctx);
  co_await bench.Open();
  Watcher watcher;
  auto watching = bench.cast->Watch(watcher);
  const auto started = co_await bench.cast->Start(ctx, {});
  watching.Reset();
  bench.Frame(1);
  EXPECT_TRUE(watcher.frames.empty());
  EXPECT_EQ(bench.cast->watchers(), 0U);
}

CO_TEST(ScreencastTest, WatchersAreToldWhenItEnds) {
  ScreencastBench bench(ctx);
  co_await bench.Open();
  Watcher watcher;
  const auto watching = bench.cast->Watch(watcher);
  auto started = co_await bench.cast->Start(ctx, {});
  co_await bench.cast->Stop(ctx);
  EXPECT_EQ(watcher.end, ErrorCode::kCancelled);
  EXPECT_FALSE(bench.cast->is_running());

  started = co_await bench.cast->Start(ctx, {});
  bench.fake.peer().Event(bench.fake.last_page(), "Inspector.targetCrashed", "{}");
  EXPECT_EQ(watcher.end, ErrorCode::kTabCrashed);
  started = co_await bench.cast->Start(ctx, {});
  EXPECT_FALSE(started);

  bench.fake.peer().Event(bench.fake.last_page(), "Inspector.targetReloadedAfterCrash", "{}");
  started = co_await bench.cast->Start(ctx, {});
  EXPECT_TRUE(started);
  bench.fake.peer().Detach(bench.fake.last_page());
  EXPECT_EQ(watcher.end, ErrorCode::kTabClosed);
}

CO_TEST(ScreencastTest, WatchersAreToldWhenItCannotGoOn) {
  ScreencastBench bench(ctx);
  co_await bench.Open();
  Watcher watcher;
  const auto watching = bench.cast->Watch(watcher);
  const auto started = co_await bench.cast->Start(ctx, {});
  EXPECT_TRUE(started);
  bench.fake.peer().On("Page.startScreencast").Fail("Not attached to an active page");

  const auto again = co_await bench.cast->Start(ctx, {.quality = 80});

  EXPECT_FALSE(again);
  EXPECT_FALSE(bench.cast->is_running());
  EXPECT_EQ(watcher.end, ErrorCode::kTargetDetached);
}

CO_TEST(ScreencastTest, NamesAnOptionOutOfBounds) {
  ScreencastBench bench(ctx);
  co_await bench.Open();
  const auto started = co_await bench.cast->Start(ctx, {.quality = 101});
  EXPECT_FALSE(started);
  if (started) co_return;
  EXPECT_EQ(started.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(started.error().message(), "quality: must be from 0 to 100");
}

CO_TEST(ScreencastTest, ReceiptsMayOutliveTheScreencast) {
  ScreencastBench bench(ctx);
  co_await bench.Open();
  Watcher watcher;
  const auto watching = bench.cast->Watch(watcher);
  const auto started = co_await bench.cast->Start(ctx, {});
  bench.Frame(1);
  bench.cast.reset();
  bench.session.reset();
  bench.browser.reset();
  watcher.receipts.clear();
  EXPECT_EQ(watcher.frames.size(), 1U);
}

}  // namespace
}  // namespace falconer::browser
