// People watch a session: what they see, and what they never see.

#include <csignal>

#include "browser/session_manager.h"
#include "browser/stream/stream_hub.h"
#include "tests/browser/secretly.h"
#include "tests/support/in_background.h"
#include "tests/support/settle.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using browser::Bitmap;
using browser::LiveViewer;
using browser::SessionKey;
using browser::StreamState;

constexpr auto kStreamPatience = std::chrono::seconds(15);

SessionKey StreamKey(std::string workflow) {
  return {.tenant = TenantId("acme"), .workflow = WorkflowId(std::move(workflow))};
}

// One who watches; keeps the newest picture and status.
class Eyes {
 public:
  explicit Eyes(std::shared_ptr<LiveViewer> viewer) : viewer_(std::move(viewer)) {}

  // Looks on until `holds` is true.
  Task<bool> Until(CallContext ctx, std::function<bool()> holds) {
    ctx = ctx.WithTimeout(kStreamPatience);
    while (!holds()) {
      auto news = co_await viewer_->Next(ctx);
      if (!news) {
        end = news.error().code();
        co_return holds();
      }
      if (news->status) {
        status = *news->status;
        states.push_back(status.state);
      }
      if (news->frame) Take(*news->frame);
    }
    co_return true;
  }
  // Until the pixel in the middle of the picture is about this.
  Task<bool> UntilColour(CallContext ctx, Bitmap::Pixel colour) {
    return Until(std::move(ctx), [this, colour] { return IsAbout(colour, 0.5, 0.5); });
  }
  bool IsAbout(Bitmap::Pixel colour, double across, double down) const {
    if (!picture) return false;
    const Bitmap::Pixel pixel = picture->At(static_cast<int>(across * picture->width()),
                                            static_cast<int>(down * picture->height()));
    for (std::size_t i = 0; i < 3; ++i)
      if (std::abs(pixel[i] - colour[i]) > 40) return false;
    return true;
  }
  void Leave() { viewer_.reset(); }
  LiveViewer& viewer() { return *viewer_; }

  std::optional<Bitmap> picture;
  std::size_t frames = 0;
  // Pixels that were in any picture, if they are looked for.
  bool looks_for_red = false;
  std::size_t bright_red = 0;
  browser::StreamStatus status;
  std::vector<StreamState> states;
  std::optional<ErrorCode> end;

 private:
  void Take(const browser::LiveFrame& frame) {
    ++frames;
    auto decoded = Bitmap::Decode(frame.jpeg(), model::ImageFormat::kJpeg);
    EXPECT_TRUE(decoded) << Why(decoded);
    if (!decoded) return;
    EXPECT_EQ(decoded->width(), frame.width);
    EXPECT_EQ(decoded->height(), frame.height);
    picture.emplace(*std::move(decoded));
    if (!looks_for_red) return;
    for (int y = 0; y < picture->height(); ++y)
      for (int x = 0; x < picture->width(); ++x) bright_red += IsRed(picture->At(x, y));
  }
  static bool IsRed(const Bitmap::Pixel& pixel) {
    return pixel[0] > 140 && pixel[1] < 110 && pixel[2] < 110;
  }

  std::shared_ptr<LiveViewer> viewer_;
};

std::string Plain(std::string_view colour) {
  return "<body style='background:" + std::string(colour) + "'>";
}

struct StreamBench {
  explicit StreamBench(BrowserFixture& fixture, browser::StreamOptions options = {})
      : t(fixture),
        pool(t.ctx.executor(), t.ctx.clock(), {},
             [](CallContext ctx) {
               return browser::Browser::Launch(std::move(ctx), TestBrowserConfig(), {});
             }),
        manager(t.ctx.executor(), t.ctx.clock(), pool, {}) {
    t.site.Serve("/red", Plain("#f00"));
    t.site.Serve("/green", Plain("#0f0"));
    t.site.Serve("/blue", Plain("#00f"));
    options.is_enabled = true;
    hub.emplace(t.ctx.executor(), t.ctx.clock(), manager, options);
  }

  Task<std::unique_ptr<BrowserFixture>> Acquire(std::string workflow) {
    const auto session =
        co_await manager.Acquire(t.ctx.WithTimeout(kLongPatience), StreamKey(std::move(workflow)));
    EXPECT_TRUE(session) << Why(session);
    if (!session) co_return nullptr;
    co_return std::make_unique<BrowserFixture>(t.ctx, t.browser, t.site, *session, t.artifacts);
  }
  Eyes Watch(std::string workflow) {
    auto viewer = hub->Watch(StreamKey(std::move(workflow)));
    EXPECT_TRUE(viewer) << Why(viewer);
    return Eyes(viewer ? *std::move(viewer) : nullptr);
  }
  Task<void> Stop() {
    co_await hub->Stop(Error(ErrorCode::kCancelled, "the test ends"));
    co_await manager.Stop(t.ctx.WithTimeout(kLongPatience));
    co_await pool.Stop(t.ctx.WithTimeout(kLongPatience));
  }

  BrowserFixture& t;
  browser::BrowserPool pool;
  browser::SessionManager manager;
  std::optional<browser::StreamHub> hub;
};

constexpr Bitmap::Pixel kSeenRed = {255, 0, 0, 255};
constexpr Bitmap::Pixel kSeenGreen = {0, 255, 0, 255};
constexpr Bitmap::Pixel kSeenBlue = {0, 0, 255, 255};

BROWSER_TEST(StreamTest, AViewerSeesThePageChange) {
  StreamBench bench(t);
  const auto page = co_await bench.Acquire("shop");
  co_await page->Open("/red");
  Eyes eyes = bench.Watch("shop");

  EXPECT_TRUE(co_await eyes.UntilColour(t.ctx, kSeenRed));
  EXPECT_EQ(eyes.status.state, StreamState::kLive);
  EXPECT_EQ(eyes.status.tab, TabId("t1"));
  EXPECT_EQ(eyes.status.view_width, 1440);
  EXPECT_EQ(eyes.status.view_height, 900);
  EXPECT_LE(eyes.picture->width(), 854);
  // The last of several quick changes is what stays to be seen.
  co_await page->Page(
      "(async () => { for (const c of ['#00f', '#f00', '#0f0']) { document.body.style.background "
      "= c; await new Promise(requestAnimationFrame); } })()");
  EXPECT_TRUE(co_await eyes.UntilColour(t.ctx, kSeenGreen));
  co_await bench.Stop();
}

BROWSER_TEST(StreamTest, AStillPageSendsOneFrame) {
  StreamBench bench(t);
  const auto page = co_await bench.Acquire("shop");
  co_await page->Open("/red");
  Eyes eyes = bench.Watch("shop");
  EXPECT_TRUE(co_await eyes.UntilColour(t.ctx, kSeenRed));
  // A hundred frames of a page that shows the same.
  co_await page->Page(
      "new Promise(done => { let n = 0; (function f() { ++n > 100 ? done() : "
      "requestAnimationFrame(f); })(); })");
  co_await page->Open("/green");
  EXPECT_TRUE(co_await eyes.UntilColour(t.ctx, kSeenGreen));
  EXPECT_LE(eyes.frames, 4u);
  co_await bench.Stop();
}

BROWSER_TEST(StreamTest, AChangeWhileAPictureIsLookedAtIsSeenSoon) {
  // So slow that a page can change before the receipt of a picture is sent.
  StreamBench bench(t, {.max_fps = 1});
  const auto page = co_await bench.Acquire("shop");
  co_await page->Open("/red");
  std::size_t sent = 0;
  Notifier more;
  const auto counting = page->tab()->session()->On<cdp::PageScreencastFrame>([&](const auto&) {
    ++sent;
    more.NotifyAll();
  });
  Eyes eyes = bench.Watch("shop");
  EXPECT_TRUE(co_await eyes.UntilColour(t.ctx, kSeenRed));
  // The second one is the same: nothing has changed so far.
  EXPECT_TRUE(co_await more.Until(
      t.ctx.WithTimeout(kStreamPatience), [&] { return sent >= 2; }, "the second picture"));

  co_await page->Page("document.body.style.background = '#0f0'");

  // A still page is looked at only every ten seconds.
  EXPECT_TRUE(co_await eyes.UntilColour(t.ctx.WithTimeout(std::chrono::seconds(8)), kSeenGreen));
  co_await bench.Stop();
}

BROWSER_TEST(StreamTest, AViewerOpensNothing) {
  StreamBench bench(t, {.max_viewers = 1});
  EXPECT_EQ(CodeOf(bench.hub->Watch(StreamKey("none"))), ErrorCode::kNotFound);
  EXPECT_EQ(bench.manager.Find(StreamKey("none")), nullptr);
  const auto page = co_await bench.Acquire("shop");
  const auto first = bench.hub->Watch(StreamKey("shop"));
  EXPECT_TRUE(first);
  EXPECT_EQ(CodeOf(bench.hub->Watch(StreamKey("shop"))), ErrorCode::kQueueFull);
  browser::StreamHub off(t.ctx.executor(), t.ctx.clock(), bench.manager, {});
  EXPECT_EQ(CodeOf(off.Watch(StreamKey("shop"))), ErrorCode::kUnsupported);
  co_await bench.Stop();
}

BROWSER_TEST(StreamTest, TheLastViewerEndsTheScreencast) {
  StreamBench bench(t);
  const auto page = co_await bench.Acquire("shop");
  co_await page->Open("/red");
  Eyes one = bench.Watch("shop");
  Eyes two = bench.Watch("shop");
  EXPECT_TRUE(co_await one.UntilColour(t.ctx, kSeenRed));
  EXPECT_TRUE(co_await two.UntilColour(t.ctx, kSeenRed));
  EXPECT_EQ(bench.hub->streams(), 1u);
  one.Leave();
  EXPECT_EQ(bench.hub->viewers(), 1u);
  EXPECT_EQ(bench.hub->streams(), 1u);
  std::size_t sent = 0;
  const auto counting =
      page->tab()->session()->On<cdp::PageScreencastFrame>([&sent](const auto&) { ++sent; });

  two.Leave();
  const TimePoint until = t.ctx.clock().Now() + kStreamPatience;
  while (bench.hub->streams() > 0 && t.ctx.clock().Now() < until) co_await Settle(1);
  EXPECT_EQ(bench.hub->streams(), 0u);
  sent = 0;
  co_await page->Page("document.body.style.background = '#0f0'");
  co_await page->TwoFrames();
  EXPECT_EQ(sent, 0u);
  co_await bench.Stop();
}

BROWSER_TEST(StreamTest, FollowsTheActiveTab) {
  StreamBench bench(t);
  const auto page = co_await bench.Acquire("shop");
  co_await page->Open("/red");
  Eyes eyes = bench.Watch("shop");
  EXPECT_TRUE(co_await eyes.UntilColour(t.ctx, kSeenRed));

  const auto tab = co_await page->session->tabs().Open(t.ctx);
  co_await page->Open("/green");
  EXPECT_TRUE(co_await eyes.UntilColour(t.ctx, kSeenGreen));
  EXPECT_EQ(eyes.status.tab, (*tab)->id());

  EXPECT_TRUE(page->session->tabs().Switch(TabId("t1")));
  EXPECT_TRUE(co_await eyes.UntilColour(t.ctx, kSeenRed));
  EXPECT_EQ(eyes.status.tab, TabId("t1"));

  EXPECT_TRUE(page->session->tabs().Switch((*tab)->id()));
  EXPECT_TRUE(co_await eyes.UntilColour(t.ctx, kSeenGreen));
  const auto closed = co_await page->session->tabs().Close(t.ctx, (*tab)->id());
  EXPECT_TRUE(closed) << Why(closed);
  EXPECT_TRUE(co_await eyes.UntilColour(t.ctx, kSeenRed));
  co_await bench.Stop();
}

BROWSER_TEST(StreamTest, ACrashedPageIsSaidAndSeenAgain) {
  StreamBench bench(t);
  const auto page = co_await bench.Acquire("shop");
  co_await page->Open("/red");
  Eyes eyes = bench.Watch("shop");
  EXPECT_TRUE(co_await eyes.UntilColour(t.ctx, kSeenRed));

  page->tab()->session()->Post(cdp::PageNavigate{.url = "chrome://crash"});
  EXPECT_TRUE(
      co_await eyes.Until(t.ctx, [&] { return eyes.status.state == StreamState::kNoPage; }));
  EXPECT_EQ(eyes.status.reason, "TAB_CRASHED");
  co_await page->Open("/blue");
  EXPECT_TRUE(co_await eyes.UntilColour(t.ctx, kSeenBlue));
  co_await bench.Stop();
}

BROWSER_TEST(StreamTest, GoesOnWithTheNextBrowser) {
  StreamBench bench(t);
  auto page = co_await bench.Acquire("shop");
  co_await page->Open("/red");
  Eyes eyes = bench.Watch("shop");
  EXPECT_TRUE(co_await eyes.UntilColour(t.ctx, kSeenRed));

  ::kill(bench.pool.List().at(0).pid, SIGKILL);
  EXPECT_TRUE(co_await eyes.Until(t.ctx, [&] { return eyes.status.state == StreamState::kLost; }));
  page.reset();
  const auto told = co_await bench.manager.Acquire(t.ctx, StreamKey("shop"));
  EXPECT_EQ(CodeOf(told), ErrorCode::kBrowserGone);
  page = co_await bench.Acquire("shop");
  co_await page->Open("/blue");

  EXPECT_TRUE(co_await eyes.UntilColour(t.ctx, kSeenBlue));
  co_await bench.Stop();
}

BROWSER_TEST(StreamTest, EndsWithTheSession) {
  StreamBench bench(t);
  const auto page = co_await bench.Acquire("shop");
  Eyes eyes = bench.Watch("shop");
  EXPECT_TRUE(co_await eyes.Until(t.ctx, [&] { return eyes.frames > 0; }));
  const auto released = co_await bench.manager.Release(t.ctx, StreamKey("shop"));
  EXPECT_TRUE(released) << Why(released);
  EXPECT_TRUE(co_await eyes.Until(t.ctx, [&] { return eyes.end.has_value(); }));
  EXPECT_EQ(eyes.end, ErrorCode::kSessionClosed);
  EXPECT_EQ(eyes.status.state, StreamState::kEnded);
  co_await bench.Stop();
}

// Becomes red, all of it, as soon as something is typed into it.
constexpr std::string_view kRedField =
    "<body style='margin:0;background:#fff'><input id=a aria-label=Motto oninput=\"this.style."
    "background = this.style.color = '#f00'\" style='position:absolute;left:300px;top:200px;width:"
    "800px;height:200px;border:0;outline:0;caret-color:transparent;font-size:60px'>";
constexpr std::string_view kFillSecretly =
    R"({"action_type": "fill", "selector": "#a", "text": {"secret": "motto"}})";

BROWSER_TEST(StreamTest, WhatIsNoSecretIsSeen) {
  StreamBench bench(t);
  t.site.Serve("/field", std::string(kRedField));
  const auto page = co_await bench.Acquire("shop");
  co_await page->Open("/field");
  Eyes eyes = bench.Watch("shop");
  eyes.looks_for_red = true;
  EXPECT_TRUE(co_await page->Fill("#a", "anything"));
  EXPECT_TRUE(co_await eyes.Until(t.ctx, [&] { return eyes.bright_red > 10'000; }));
  co_await bench.Stop();
}

BROWSER_TEST(StreamTest, ASecretIsCoveredInEveryFrame) {
  StreamBench bench(t);
  t.site.Serve("/field", std::string(kRedField));
  const auto page = co_await bench.Acquire("shop");
  co_await page->Open("/field");
  Eyes eyes = bench.Watch("shop");
  eyes.looks_for_red = true;
  EXPECT_TRUE(co_await eyes.Until(t.ctx, [&] { return eyes.frames >= 1; }));
  EXPECT_TRUE(co_await DoSecretly(*page, std::string(kFillSecretly)));
  EXPECT_TRUE(
      co_await eyes.Until(t.ctx, [&] { return eyes.IsAbout(Bitmap::kCover, 0.5, 1.0 / 3); }));
  // It moves, is taken out and put back, while pictures are taken.
  InBackground moving(
      t.ctx.executor(),
      page->Page("new Promise(done => { const field = a; let n = 0; (function f() { "
                 "field.style.left = 100 + n * 7 % 500 + 'px'; if (n % 7 == 3) field.remove(); "
                 "if (n % 7 == 5) document.body.append(field); "
                 "++n > 240 ? done() : requestAnimationFrame(f); })(); })"));
  EXPECT_TRUE(co_await eyes.Until(t.ctx, [&] { return eyes.frames >= 8; }));
  co_await moving.Join();
  co_await page->Page(
      "void document.body.insertAdjacentHTML('beforeend', '<p style=\"position:"
      "absolute;left:0;bottom:0;width:200px;height:200px;margin:0;background:#00f\">"
      "</p>')");
  EXPECT_TRUE(co_await eyes.Until(t.ctx, [&] { return eyes.IsAbout(kSeenBlue, 0.02, 0.98); }));

  EXPECT_EQ(eyes.bright_red, 0u) << "of " << eyes.frames << " frames";
  co_await bench.Stop();
}

BROWSER_TEST(StreamTest, ASecretOnALaterPageIsCovered) {
  StreamBench bench(t);
  t.site.Serve("/field", std::string(kRedField));
  t.site.Serve(
      "/shown",
      "<body style='margin:0;background:#0f0'><p style='position:absolute;left:100px;"
      "top:300px;margin:0;color:#f00;font:bold 80px sans-serif'>correct horse battery</p>");
  const auto page = co_await bench.Acquire("shop");
  co_await page->Open("/field");
  Eyes eyes = bench.Watch("shop");
  eyes.looks_for_red = true;
  EXPECT_TRUE(co_await DoSecretly(*page, std::string(kFillSecretly)));
  co_await page->Open("/shown");
  EXPECT_TRUE(co_await eyes.Until(t.ctx, [&] { return eyes.IsAbout(kSeenGreen, 0.9, 0.9); }));
  EXPECT_EQ(eyes.bright_red, 0u) << eyes.frames;
  co_await bench.Stop();
}

BROWSER_TEST(StreamTest, ASecretInAFrameIsCovered) {
  StreamBench bench(t);
  t.site.Serve("/field", std::string(kRedField));
  t.site.Serve("/outer", "<body style='margin:0'><iframe name=inner src='" +
                             t.site.CrossSiteUrl("/field") +
                             "' style='border:0;width:1400px;height:800px'></iframe>");
  const auto page = co_await bench.Acquire("shop");
  co_await page->Open("/outer");
  Eyes eyes = bench.Watch("shop");
  eyes.looks_for_red = true;
  EXPECT_TRUE(co_await eyes.Until(t.ctx, [&] { return eyes.frames >= 1; }));
  const auto filled = co_await DoSecretly(
      *page,
      R"({"action_type": "fill", "selector": "frame=iframe >> #a", "text": {"secret": "motto"}})");
  EXPECT_TRUE(filled) << Why(filled);
  EXPECT_TRUE(
      co_await eyes.Until(t.ctx, [&] { return eyes.IsAbout(Bitmap::kCover, 0.5, 1.0 / 3); }));
  EXPECT_EQ(eyes.bright_red, 0u) << eyes.frames;
  co_await bench.Stop();
}

// Fifty watch, one of them never takes anything.
BROWSER_TEST(StreamTest, ManyWatchAndOneWhoSleepsCostsNothing) {
  StreamBench bench(t);
  t.site.Serve("/restless",
               "<body><script>let n = 0; (function step() { document.body.style.background = "
               "`rgb(${n++ % 256},0,0)`; requestAnimationFrame(step); })()</script>");
  const auto page = co_await bench.Acquire("shop");
  co_await page->Open("/restless");
  std::vector<Eyes> many;
  for (int i = 0; i < 50; ++i) many.push_back(bench.Watch("shop"));

  for (int round = 1; round <= 3; ++round) {
    for (std::size_t i = 1; i < many.size(); ++i) {
      Eyes& eyes = many[i];
      EXPECT_TRUE(co_await eyes.Until(t.ctx, [&] {
        return eyes.frames >= static_cast<std::size_t>(round);
      })) << i;
    }
  }
  Eyes& quick = many[1];
  EXPECT_TRUE(co_await quick.Until(t.ctx, [&] { return quick.frames >= 10; }));
  const auto& asleep = many[0].viewer().queue();
  EXPECT_LE(asleep.size(), 5u);
  EXPECT_GT(asleep.dropped(), 0u);
  EXPECT_EQ(bench.hub->streams(), 1u) << "one screencast for all";
  co_await bench.Stop();
}

BROWSER_TEST(StreamTest, NoMoreFramesThanMayBe) {
  StreamBench bench(t, {.max_fps = 5});
  t.site.Serve("/restless",
               "<body><script>let n = 0; (function step() { document.body.style.background = "
               "`rgb(${n++ % 256},0,0)`; requestAnimationFrame(step); })()</script>");
  const auto page = co_await bench.Acquire("shop");
  co_await page->Open("/restless");
  Eyes eyes = bench.Watch("shop");
  EXPECT_TRUE(co_await eyes.Until(t.ctx, [&] { return eyes.frames >= 1; }));
  const TimePoint begun = t.ctx.clock().Now();
  EXPECT_TRUE(co_await eyes.Until(t.ctx, [&] { return eyes.frames >= 6; }));
  EXPECT_GE(t.ctx.clock().Now() - begun, std::chrono::milliseconds(900));
  co_await bench.Stop();
}

}  // namespace
}  // namespace falconer::test
