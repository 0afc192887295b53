#include "cdp/write_fence.h"

#include <fcntl.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cdp/connection.h"
#include "cdp/pipe_transport.h"
#include "tests/support/co_test.h"
#include "tests/support/fake_cdp_peer.h"
#include "tests/support/settle.h"

namespace falconer::cdp {
namespace {

using test::FakeCdpPeer;
using test::Settle;

class FakeFence final : public WriteFence {
 public:
  Result<void> MayLeave() const override {
    ++asked;
    if (is_closed) return Fail(ErrorCode::kCancelled, "called off");
    return {};
  }
  void DidLeave() const override { ++left; }

  bool is_closed = false;
  mutable int asked = 0;
  mutable int left = 0;
};

const InputInsertText& Act() {
  static const InputInsertText act{.text = "x"};
  return act;
}

constexpr PageEnable kUpkeep{};

template <typename T>
bool IsCalledOff(const Result<T>& result) {
  return !result && result.error().code() == ErrorCode::kCancelled &&
         result.error().message() == "called off";
}

struct FenceWorld {
  explicit FenceWorld(const CallContext& ctx)
      : peer(ctx.executor()), connection(ctx.executor(), ctx.clock(), peer.MakeTransport(), {}) {
    peer.Attach("S1");
    page = connection.FindSession("S1");
    page->Heed(slot);
    slot->Set(fence);
  }

  FakeCdpPeer peer;
  Connection connection;
  std::shared_ptr<Session> page;
  std::shared_ptr<FenceSlot> slot = std::make_shared<FenceSlot>();
  std::shared_ptr<FakeFence> fence = std::make_shared<FakeFence>();
};

TEST(WriteFenceTest, TheRowsSayWhatActs) {
  static_assert(PageNavigate::kActs && PageReload::kActs && PageNavigateToHistoryEntry::kActs);
  static_assert(PageHandleJavaScriptDialog::kActs && PageCaptureScreenshot::kActs);
  static_assert(PagePrintToPDF::kActs && RuntimeEvaluate::kActs && DOMSetFileInputFiles::kActs);
  static_assert(DOMScrollIntoViewIfNeeded::kActs && InputDispatchMouseEvent::kActs);
  static_assert(InputDispatchKeyEvent::kActs && InputInsertText::kActs);
  static_assert(InputDispatchDragEvent::kActs);
  static_assert(!PageEnable::kActs && !RuntimeRunIfWaitingForDebugger::kActs);
  static_assert(!TargetCreateTarget::kActs && !TargetCloseTarget::kActs && !BrowserClose::kActs);
  static_assert(!PageAddScriptToEvaluateOnNewDocument::kActs && !FetchContinueRequest::kActs);
  static_assert(!EmulationSetDeviceMetricsOverride::kActs && !StorageSetCookies::kActs);
  static_assert(!PageStopLoading::kActs && !InputSetInterceptDrags::kActs);
}

CO_TEST(WriteFenceTest, WhatActsIsAskedForAndToldOf) {
  FenceWorld world(ctx);

  const auto acted = co_await world.page->Send(ctx, Act());
  const auto kept = co_await world.page->Send(ctx, kUpkeep);

  EXPECT_TRUE(acted && kept);
  EXPECT_GE(world.fence->asked, 1);
  EXPECT_EQ(world.fence->left, 1) << "upkeep is not told of";
}

CO_TEST(WriteFenceTest, NothingThatActsLeavesOnceItIsClosed) {
  FenceWorld world(ctx);
  world.fence->is_closed = true;

  const auto typed = world.page->Post(Act());
  const auto evaluated = co_await world.page->Send(ctx, RuntimeEvaluate{.expression = "1"});
  const auto kept = co_await world.page->Send(ctx, kUpkeep);

  EXPECT_TRUE(typed.is_answered()) << "it fails at once";
  const auto not_typed = co_await typed.Wait(ctx);
  EXPECT_TRUE(IsCalledOff(not_typed));
  EXPECT_TRUE(IsCalledOff(evaluated));
  EXPECT_TRUE(kept) << "upkeep still leaves";
  EXPECT_EQ(world.peer.sent().size(), 1U);
  EXPECT_EQ(world.fence->left, 0);
}

CO_TEST(WriteFenceTest, WhatOnlyPreparesLeavesAlthoughItsKindActs) {
  FenceWorld world(ctx);
  world.fence->is_closed = true;
  world.peer.On("Runtime.evaluate").Reply(R"({"result":{"type":"undefined"}})");

  const auto sent =
      co_await world.page->PostUpkeep(RuntimeEvaluate{.expression = "cancel()"}).Wait(ctx);

  EXPECT_TRUE(sent);
  EXPECT_EQ(world.peer.CountOf("Runtime.evaluate"), 1U);
  EXPECT_EQ(world.fence->asked, 0);
}

CO_TEST(WriteFenceTest, TheNextFenceOpensTheWayAgain) {
  FenceWorld world(ctx);
  world.fence->is_closed = true;
  const auto refused = co_await world.page->Send(ctx, Act());
  const auto next = std::make_shared<FakeFence>();

  world.slot->Set(next);
  const auto sent = co_await world.page->Send(ctx, Act());
  world.slot->Set(nullptr);
  const auto free = co_await world.page->Send(ctx, Act());

  EXPECT_TRUE(IsCalledOff(refused));
  EXPECT_TRUE(sent && free);
  EXPECT_EQ(next->left, 1);
  EXPECT_EQ(world.peer.CountOf("Input.insertText"), 2U);
}

CO_TEST(WriteFenceTest, SessionsBelowHeedItAndOthersDoNot) {
  FenceWorld world(ctx);
  world.peer.Attach("S2", "iframe", "S1");
  world.peer.Attach("S3", "worker", "S2");
  world.peer.Attach("S4");
  world.fence->is_closed = true;

  for (const char* below : {"S1", "S2", "S3"}) {
    const auto refused = co_await world.connection.FindSession(below)->Send(ctx, Act());
    EXPECT_TRUE(IsCalledOff(refused)) << below;
  }
  const auto other = co_await world.connection.FindSession("S4")->Send(ctx, Act());

  EXPECT_TRUE(other) << "another context has its own fence";
  EXPECT_EQ(world.peer.LastOf("Input.insertText").session_id, "S4");
}

// A browser at the other ends of real pipes, which does not read until the test does.
class SlowBrowser {
 public:
  explicit SlowBrowser(const CallContext& ctx) {
    int down[2];
    int up[2];
    EXPECT_EQ(::pipe2(down, O_CLOEXEC | O_NONBLOCK), 0);
    EXPECT_EQ(::pipe2(up, O_CLOEXEC | O_NONBLOCK), 0);
    in_.Reset(down[0]);
    out_.Reset(up[1]);
    connection = std::make_unique<Connection>(
        ctx.executor(), ctx.clock(),
        std::make_unique<PipeTransport>(ctx.executor(), UniqueFd(up[0]), UniqueFd(down[1])),
        Connection::Options{});
    connection->root()->Heed(slot);
    slot->Set(fence);
  }

  // Reads everything that comes, and gives the methods in their order.
  Task<std::vector<std::string>> ReadAll() {
    std::string bytes;
    for (int quiet = 0; quiet < 2;) {
      std::string more(1UZ << 20U, '\0');
      const ssize_t n = ::read(in_.get(), more.data(), more.size());
      quiet = n > 0 ? 0 : quiet + 1;
      if (n > 0) bytes.append(more, 0, static_cast<std::size_t>(n));
      co_await Settle();
    }
    std::vector<std::string> methods;
    for (std::size_t at = 0, end; (end = bytes.find('\0', at)) != std::string::npos; at = end + 1) {
      auto message = ParseJsonObject(std::string_view(bytes).substr(at, end - at));
      EXPECT_TRUE(message) << "half a message";
      if (message) methods.push_back(TextAt(*message, "method"));
    }
    EXPECT_TRUE(bytes.empty() || bytes.back() == '\0') << "half a message";
    co_return methods;
  }

  Session& root() { return *connection->root(); }

  std::unique_ptr<Connection> connection;
  std::shared_ptr<FenceSlot> slot = std::make_shared<FenceSlot>();
  std::shared_ptr<FakeFence> fence = std::make_shared<FakeFence>();

 private:
  UniqueFd in_;
  UniqueFd out_;
};

CO_TEST(WriteFenceTest, WhatWaitsForAFullPipeIsDroppedWhenItCloses) {
  SlowBrowser browser(ctx);
  // More than a pipe holds: the first is half written, the others have not begun.
  auto begun = browser.root().Post(InputInsertText{.text = std::string(1UZ << 20U, 'x')});
  auto waiting = browser.root().Post(Act());
  auto upkeep = browser.root().Post(kUpkeep);
  auto also_waiting = browser.root().Post(RuntimeEvaluate{.expression = "1"});

  browser.fence->is_closed = true;
  auto late = browser.root().Post(Act());
  EXPECT_TRUE(late.is_answered()) << "it does not wait for the pipe";
  EXPECT_FALSE(waiting.is_answered());
  const auto left = co_await browser.ReadAll();

  EXPECT_EQ(left, (std::vector<std::string>{"Input.insertText", "Page.enable"}));
  EXPECT_EQ(browser.fence->left, 1) << "only what had begun";
  EXPECT_FALSE(begun.is_answered());
  EXPECT_FALSE(upkeep.is_answered());
  const auto dropped = co_await waiting.Wait(ctx);
  const auto also_dropped = co_await also_waiting.Wait(ctx);
  const auto refused = co_await late.Wait(ctx);
  EXPECT_TRUE(IsCalledOff(dropped));
  EXPECT_TRUE(IsCalledOff(also_dropped));
  EXPECT_TRUE(IsCalledOff(refused));
}

CO_TEST(WriteFenceTest, ANewFenceDoesNotSetFreeWhatWaitsUnderTheOld) {
  SlowBrowser browser(ctx);
  auto begun = browser.root().Post(PageStopLoading{});
  auto filler = browser.root().PostUpkeep(InputInsertText{.text = std::string(1UZ << 20U, 'x')});
  auto old = browser.root().Post(RuntimeEvaluate{.expression = "1"});

  browser.fence->is_closed = true;
  const auto next = std::make_shared<FakeFence>();
  browser.slot->Set(next);
  auto fresh = browser.root().Post(PageReload{});
  const auto left = co_await browser.ReadAll();

  EXPECT_EQ(left,
            (std::vector<std::string>{"Page.stopLoading", "Input.insertText", "Page.reload"}));
  const auto dropped = co_await old.Wait(ctx);
  EXPECT_TRUE(IsCalledOff(dropped));
  EXPECT_EQ(next->left, 1);
  EXPECT_EQ(browser.fence->left, 0);
}

CO_TEST(WriteFenceTest, ACommandMayWaitLongerThanItsSessionLives) {
  SlowBrowser browser(ctx);
  auto filler = browser.root().Post(InputInsertText{.text = std::string(1UZ << 20U, 'x')});
  auto waiting = browser.root().Post(Act());
  browser.fence->is_closed = true;

  browser.connection.reset();
  co_await Settle();

  const auto ended = co_await waiting.Wait(ctx);
  EXPECT_TRUE(!ended && ended.error().code() == ErrorCode::kBrowserGone);
}

}  // namespace
}  // namespace falconer::cdp
