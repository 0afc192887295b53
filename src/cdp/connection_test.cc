#include "cdp/connection.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/log.h"
#include "tests/support/captured_log.h"
#include "tests/support/co_test.h"
#include "tests/support/fake_cdp_peer.h"

namespace falconer::cdp {
namespace {

using test::FakeCdpPeer;

struct World {
  explicit World(boost::asio::io_context* io)
      : peer(io->get_executor()), connection(io->get_executor(), clock, peer.MakeTransport(), {}) {}

  SystemClock clock;
  FakeCdpPeer peer;
  Connection connection;
};

CO_TEST(ConnectionTest, OpensASessionBeforeItsParentHearsOfIt) {
  World world(io);
  std::shared_ptr<Session> seen;
  const auto subscription = world.connection.root()->On<TargetAttachedToTarget>(
      [&](const auto& e) { seen = world.connection.FindSession(e.session_id); });

  world.peer.Attach("S1", "worker");

  EXPECT_NE(seen, nullptr);
  if (!seen) co_return;
  EXPECT_EQ(seen->id(), "S1");
  EXPECT_EQ(seen->target().type, "worker");
  EXPECT_TRUE(seen->is_open());
}

CO_TEST(ConnectionTest, AnAttachmentWithoutItsFieldsOpensNothing) {
  World world(io);

  world.peer.Event("", "Target.attachedToTarget", R"({"sessionId":"S1"})");

  EXPECT_EQ(world.connection.FindSession("S1"), nullptr);
  co_return;
}

CO_TEST(ConnectionTest, LogsTheFirstMalformedEventOfEachKind) {
  World world(io);
  world.peer.Attach("S1");
  const auto page = world.connection.FindSession("S1");
  int heard = 0;
  const auto detached = page->On<PageFrameDetached>([&](const auto&) { ++heard; });
  const auto stopped = page->On<PageFrameStoppedLoading>([&](const auto&) { ++heard; });
  const test::CapturedLog log;

  for (int i = 0; i < 3; ++i) {
    world.peer.Event("S1", "Page.frameDetached", R"({"frameId":7})");
    world.peer.Event("S1", "Page.frameStoppedLoading", "{}");
    world.peer.Event("", "Target.attachedToTarget", R"({"sessionId":"S2"})");
  }

  EXPECT_EQ(heard, 0);
  EXPECT_EQ(log.CountOf({"warn", "cdp.malformed_event"}), 3U);
  EXPECT_EQ(log.CountOf({"Page.frameDetached", "frameId"}), 1U);
  EXPECT_EQ(log.CountOf({"Target.attachedToTarget", "targetInfo"}), 1U);
  co_return;
}

CO_TEST(ConnectionTest, ACommandThatTheTransportRefusesFailsAtOnce) {
  World world(io);
  const test::CapturedLog log;
  world.peer.Refuse(Error(ErrorCode::kQueueFull, "the browser does not read"));

  const auto first = co_await world.connection.root()->Send(ctx, BrowserGetVersion{});
  const auto second = co_await world.connection.root()->Send(ctx, BrowserGetVersion{});
  world.peer.Refuse(std::nullopt);
  world.peer.On("Target.getTargets").Reply(R"({"targetInfos":[]})");
  const auto later = co_await world.connection.root()->Send(ctx, TargetGetTargets{});

  EXPECT_EQ(first.error().code(), ErrorCode::kQueueFull);
  EXPECT_EQ(second.error().code(), ErrorCode::kQueueFull);
  EXPECT_EQ(log.CountOf({"cdp.queue_full"}), 1U) << "once until it reads again";
  EXPECT_TRUE(later) << "the connection is still good";
}

CO_TEST(ConnectionTest, RoutesEventsToTheirSessionOnly) {
  World world(io);
  world.peer.Attach("S1");
  world.peer.Attach("S2");
  std::vector<std::string> heard;
  const auto listen = [&](std::string_view id) {
    return world.connection.FindSession(id)->On<PageFrameDetached>(
        [&heard, id](const auto& e) { heard.push_back(std::string(id) + ":" + e.frame_id); });
  };
  const auto first = listen("S1");
  const auto second = listen("S2");
  const auto root = listen("");

  world.peer.Event("S2", "Page.frameDetached", R"({"frameId":"b"})");
  world.peer.Event("S1", "Page.frameDetached", R"({"frameId":"a"})");
  world.peer.Event("", "Page.frameDetached", R"({"frameId":"r"})");
  world.peer.Event("unknown", "Page.frameDetached", R"({"frameId":"x"})");

  EXPECT_EQ(heard, (std::vector<std::string>{"S2:b", "S1:a", ":r"}));
  co_return;
}

CO_TEST(ConnectionTest, ClosesASessionAfterItsParentHeardOfIt) {
  World world(io);
  world.peer.Attach("S1");
  const auto session = world.connection.FindSession("S1");
  std::vector<std::string> order;
  const auto root = world.connection.root()->On<TargetDetachedFromTarget>(
      [&](const auto&) { order.push_back(session->is_open() ? "told, open" : "told, closed"); });
  std::optional<ErrorCode> reason;
  const auto closed = session->OnClosed([&](const Error& e) {
    order.push_back("closed");
    reason = e.code();
  });

  world.peer.Detach("S1");

  EXPECT_EQ(order, (std::vector<std::string>{"told, open", "closed"}));
  EXPECT_EQ(reason, ErrorCode::kTargetDetached);
  EXPECT_EQ(world.connection.FindSession("S1"), nullptr);
  world.peer.Detach("S1");
  co_return;
}

CO_TEST(ConnectionTest, IgnoresWhatIsNotAMessage) {
  World world(io);
  world.peer.On("Browser.getVersion")
      .Reply(
          R"({"protocolVersion":"1.3","product":"p","revision":"r","userAgent":"u","jsVersion":"j"})");
  SetLogLevel(LogLevel::kOff);
  for (const std::string_view bad :
       {"", "{", "[]", "7", "null", "\"text\"", "{}", R"({"id":99,"result":{}})", R"({"id":"x"})",
        R"({"method":7})", R"({"method":"Page.frameDetached"})",
        R"({"method":"Page.frameDetached","params":3})", "\xff\xfe"}) {
    world.peer.Push(bad);
  }
  SetLogLevel(LogLevel::kWarn);

  const auto version = co_await world.connection.root()->Send(ctx, BrowserGetVersion{});

  EXPECT_TRUE(version && version->product == "p");
}

CO_TEST(ConnectionTest, KeepsAMessageWhosePageTextIsHalfACharacter) {
  World world(io);
  world.peer.Attach("S1");
  const auto session = world.connection.FindSession("S1");
  world.peer.On("Runtime.evaluate").Ignore();
  auto pending = session->Post(RuntimeEvaluate{.expression = "x"});

  world.peer.Push(
      R"({"id":1,"sessionId":"S1","result":{"result":{"type":"string","value":"a\ud800b"}}})");
  const auto reply = co_await pending.Wait(ctx);

  EXPECT_TRUE(reply && reply->result.value == json::value("a\xEF\xBF\xBD"
                                                          "b"));
}

CO_TEST(ConnectionTest, FailsACallWhoseSessionTheBrowserNoLongerKnows) {
  World world(io);
  world.peer.Attach("S1");
  const auto session = world.connection.FindSession("S1");
  world.peer.On("Page.enable").Ignore();
  auto pending = session->Post(PageEnable{});

  world.peer.Push(
      R"({"id":1,"error":{"code":-32001,"message":"Session with given id not found."}})");
  const auto reply = co_await pending.Wait(ctx);

  EXPECT_FALSE(reply);
  if (!reply) EXPECT_EQ(reply.error().code(), ErrorCode::kTargetDetached);
}

CO_TEST(ConnectionTest, TheBrowserGoingAwayFailsEverythingWithTheReason) {
  World world(io);
  world.peer.Attach("S1");
  const auto session = world.connection.FindSession("S1");
  world.peer.On("Page.enable").Ignore();
  world.peer.On("Browser.close").Ignore();
  auto on_page = session->Post(PageEnable{});
  auto on_root = world.connection.root()->Post(BrowserClose{});
  int closed = 0;
  const auto subscription = session->OnClosed([&](const Error&) { ++closed; });

  world.peer.HangUp("the browser closed its pipe (EOF)");
  const auto page = co_await on_page.Wait(ctx);
  const auto root = co_await on_root.Wait(ctx);
  const auto later = co_await session->Send(ctx, PageEnable{});

  for (const auto* error : {page ? nullptr : &page.error(), root ? nullptr : &root.error(),
                            later ? nullptr : &later.error()}) {
    EXPECT_NE(error, nullptr);
    if (error == nullptr) continue;
    EXPECT_EQ(error->code(), ErrorCode::kBrowserGone);
    EXPECT_EQ(error->message(), "the browser closed its pipe (EOF)");
  }
  EXPECT_EQ(closed, 1);
  EXPECT_FALSE(world.connection.is_open());
  EXPECT_EQ(world.connection.FindSession("S1"), nullptr);
}

CO_TEST(ConnectionTest, ClosingTwiceKeepsTheFirstReason) {
  World world(io);
  std::vector<std::string> reasons;
  const auto subscription =
      world.connection.root()->OnClosed([&](const Error& e) { reasons.push_back(e.message()); });

  world.connection.Close(Error(ErrorCode::kBrowserGone, "first"));
  world.connection.Close(Error(ErrorCode::kBrowserGone, "second"));

  EXPECT_EQ(reasons, std::vector<std::string>{"first"});
  EXPECT_TRUE(world.peer.is_closed());
  co_return;
}

CO_TEST(ConnectionTest, ASessionMayOutliveTheConnection) {
  FakeCdpPeer peer(io->get_executor());
  std::shared_ptr<Session> session;
  std::optional<PendingReply<PageEnable>> pending;
  peer.On("Page.enable").Ignore();
  {
    Connection connection(io->get_executor(), ctx.clock(), peer.MakeTransport(), {});
    peer.Attach("S1");
    session = connection.FindSession("S1");
    pending = session->Post(PageEnable{});
  }

  const auto before = co_await pending->Wait(ctx);
  const auto after = co_await session->Send(ctx, PageEnable{});

  EXPECT_FALSE(session->is_open());
  EXPECT_FALSE(before);
  EXPECT_FALSE(after);
  if (!after) EXPECT_EQ(after.error().code(), ErrorCode::kBrowserGone);
}

}  // namespace
}  // namespace falconer::cdp
