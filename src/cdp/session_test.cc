#include "cdp/session.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "base/async/task_scope.h"
#include "cdp/connection.h"
#include "tests/support/co_test.h"
#include "tests/support/fake_cdp_peer.h"
#include "tests/support/settle.h"

namespace falconer::cdp {
namespace {

using namespace std::chrono_literals;
using test::FakeCdpPeer;
using test::Settle;

// A page's session, on a clock that the test moves.
struct SessionWorld {
  explicit SessionWorld(boost::asio::io_context* io)
      : peer(io->get_executor()),
        connection(io->get_executor(), clock, peer.MakeTransport(), {.command_timeout = 30s}),
        ctx(io->get_executor(), clock),
        scope(io->get_executor()) {
    peer.Attach("S1");
    page = connection.FindSession("S1");
  }

  FakeClock clock;
  FakeCdpPeer peer;
  Connection connection;
  std::shared_ptr<Session> page;
  CallContext ctx;
  TaskScope scope;
};

template <typename Command>
Task<void> SendInto(std::shared_ptr<Session> session, CallContext ctx, Command command,
                    std::optional<Result<typename Command::Reply>>* out) {
  *out = co_await session->Send(ctx, command);
}

template <typename T>
std::optional<ErrorCode> CodeOf(const std::optional<Result<T>>& result) {
  if (!result || result->has_value()) return std::nullopt;
  return result->error().code();
}

CO_TEST(SessionTest, SendsTypedCommandsAndReadsTypedReplies) {
  SessionWorld world(io);
  world.peer.On("Page.navigate").Reply(R"({"frameId":"F","loaderId":"L","unknown":1})");

  const auto reply = co_await world.page->Send(
      world.ctx, PageNavigate{.url = "http://a.test/", .referrer = "http://b.test/"});

  EXPECT_TRUE(reply);
  if (!reply) co_return;
  EXPECT_EQ(reply->frame_id, "F");
  EXPECT_EQ(reply->loader_id, "L");
  EXPECT_FALSE(reply->error_text);
  const auto sent = world.peer.LastOf("Page.navigate");
  EXPECT_EQ(sent.session_id, "S1");
  EXPECT_EQ(sent.params, (json::object{{"url", "http://a.test/"}, {"referrer", "http://b.test/"}}));
}

CO_TEST(SessionTest, TheBrowsersOwnSessionHasNoId) {
  SessionWorld world(io);

  co_await world.connection.root()->Send(world.ctx, BrowserClose{});

  EXPECT_EQ(world.peer.LastOf("Browser.close").session_id, "");
}

CO_TEST(SessionTest, AReplyThatDoesNotFitIsAProtocolError) {
  SessionWorld world(io);
  world.peer.On("Page.navigate").Reply(R"({"frameId":7})");

  const auto reply = co_await world.page->Send(world.ctx, PageNavigate{.url = "http://a.test/"});

  EXPECT_FALSE(reply);
  if (reply) co_return;
  EXPECT_EQ(reply.error().code(), ErrorCode::kProtocolError);
  EXPECT_EQ(reply.error().message(), "Page.navigate: reply lacks a fitting frameId");
}

CO_TEST(SessionTest, TurnsTheBrowsersErrorsIntoCodes) {
  struct Case {
    std::string_view text;
    ErrorCode code;
  };
  constexpr Case kCases[] = {
      {"Cannot find context with specified id", ErrorCode::kContextDestroyed},
      {"uniqueContextId not found", ErrorCode::kContextDestroyed},
      {"Execution context was destroyed.", ErrorCode::kContextDestroyed},
      {"Inspected target navigated or closed", ErrorCode::kContextDestroyed},
      {"Promise was collected", ErrorCode::kContextDestroyed},
      {"Frame with the given id was not found.", ErrorCode::kFrameDetached},
      {"No frame for given id found", ErrorCode::kFrameDetached},
      {"No dialog is showing", ErrorCode::kNoDialog},
      {"Node is detached from document", ErrorCode::kElementDetached},
      {"Could not compute box model.", ErrorCode::kElementNotVisible},
      {"No target with given id found", ErrorCode::kTabClosed},
      {"Session with given id not found.", ErrorCode::kTargetDetached},
      {"Target crashed", ErrorCode::kTabCrashed},
      {"something new", ErrorCode::kProtocolError},
  };
  SessionWorld world(io);
  for (const Case& c : kCases) {
    world.peer.On("Page.enable").Fail(std::string(c.text));
    const auto reply = co_await world.page->Send(world.ctx, PageEnable{});
    EXPECT_FALSE(reply) << c.text;
    if (reply) continue;
    EXPECT_EQ(reply.error().code(), c.code) << c.text;
    EXPECT_EQ(reply.error().message(), "Page.enable: " + std::string(c.text));
  }
}

CO_TEST(SessionTest, PostedCommandsLeaveAtOnceAndInOrder) {
  SessionWorld world(io);

  auto first = world.page->Post(PageEnable{});
  auto second = world.page->Post(RuntimeEnable{});
  auto third = world.page->Post(NetworkEnable{});
  EXPECT_EQ(world.peer.sent().size(), 3u) << "nothing may wait for an answer";
  EXPECT_FALSE(first.is_answered());

  const auto last = co_await third.Wait(world.ctx);
  const auto middle = co_await second.Wait(world.ctx);
  EXPECT_TRUE(last && middle);
  EXPECT_TRUE(first.is_answered());
  std::vector<std::string> methods;
  for (const auto& sent : world.peer.sent()) methods.push_back(sent.method);
  EXPECT_EQ(methods, (std::vector<std::string>{"Page.enable", "Runtime.enable", "Network.enable"}));
}

CO_TEST(SessionTest, AnswersFindTheirCallsInAnyOrder) {
  SessionWorld world(io);
  world.peer.On("Page.createIsolatedWorld").Ignore();
  auto first = world.page->Post(PageCreateIsolatedWorld{.frame_id = "a"});
  auto second = world.page->Post(PageCreateIsolatedWorld{.frame_id = "b"});

  world.peer.Answer(world.peer.sent()[1], R"({"executionContextId":2})");
  world.peer.Answer(world.peer.sent()[0], R"({"executionContextId":1})");
  const auto one = co_await first.Wait(world.ctx);
  const auto two = co_await second.Wait(world.ctx);

  EXPECT_TRUE(one && one->execution_context_id == 1);
  EXPECT_TRUE(two && two->execution_context_id == 2);
}

CO_TEST(SessionTest, ACommandMayBeSentLaterThanItsTaskIsMade) {
  SessionWorld world(io);
  world.peer.On("Page.navigate").Reply(R"({"frameId":"F"})");
  auto task = world.page->Send(world.ctx, PageNavigate{.url = "http://a.test/"});
  co_await Settle();

  const auto reply = co_await std::move(task);

  EXPECT_TRUE(reply && reply->frame_id == "F");
}

CO_TEST(SessionTest, ADroppedReplyIsIgnored) {
  SessionWorld world(io);

  {
    const auto dropped = world.page->Post(PageEnable{});
  }
  co_await Settle();

  const auto next = co_await world.page->Send(world.ctx, PageEnable{});
  EXPECT_TRUE(next);
}

CO_TEST(SessionTest, ACallEndsAtItsDeadlineAndItsLateAnswerIsIgnored) {
  SessionWorld world(io);
  world.peer.On("Page.enable").Ignore();
  std::optional<Result<PageEnable::Reply>> result;
  world.scope.Spawn("call", SendInto(world.page, world.ctx.WithTimeout(5s), PageEnable{}, &result));
  co_await Settle();

  world.clock.Advance(5s);
  co_await Settle();

  EXPECT_EQ(CodeOf(result), ErrorCode::kTimeout);
  if (result && !*result) {
    EXPECT_EQ(result->error().message(), "timed out waiting for Page.enable");
  }
  world.peer.Answer(world.peer.LastOf("Page.enable"), "{}");
  world.peer.Answer(world.peer.LastOf("Page.enable"), "{}");
  co_await Settle();
}

CO_TEST(SessionTest, NoCallWaitsLongerThanTheConnectionAllows) {
  SessionWorld world(io);
  world.peer.On("Page.enable").Ignore();
  std::optional<Result<PageEnable::Reply>> result;
  world.scope.Spawn("call", SendInto(world.page, world.ctx, PageEnable{}, &result));
  co_await Settle();

  world.clock.Advance(29s);
  co_await Settle();
  EXPECT_FALSE(result);
  world.clock.Advance(1s);
  co_await Settle();

  EXPECT_EQ(CodeOf(result), ErrorCode::kTimeout);
}

CO_TEST(SessionTest, ACancelEndsACall) {
  SessionWorld world(io);
  world.peer.On("Page.enable").Ignore();
  CancelSource source;
  std::optional<Result<PageEnable::Reply>> result;
  world.scope.Spawn(
      "call", SendInto(world.page, world.ctx.WithCancel(source.token()), PageEnable{}, &result));
  co_await Settle();

  source.Cancel(Error(ErrorCode::kTurnClosed, "closed"));
  co_await Settle();

  EXPECT_EQ(CodeOf(result), ErrorCode::kTurnClosed);
}

CO_TEST(SessionTest, AnInterruptFailsWhatOnlyThePageCanAnswer) {
  SessionWorld world(io);
  for (const char* method : {"Runtime.evaluate", "Input.insertText", "Page.captureScreenshot"}) {
    world.peer.On(method).Ignore();
  }
  auto renderer = world.page->Post(RuntimeEvaluate{.expression = "1"});
  auto input = world.page->Post(InputInsertText{.text = "x"});
  auto browser = world.page->Post(PageCaptureScreenshot{});

  world.page->InterruptCalls(Error(ErrorCode::kDialogOpen, "a dialog is open"));
  const auto evaluated = co_await renderer.Wait(world.ctx);
  const auto typed = co_await input.Wait(world.ctx);
  EXPECT_FALSE(browser.is_answered());
  world.peer.Answer(world.peer.LastOf("Page.captureScreenshot"), R"({"data":"aGk="})");
  const auto shot = co_await browser.Wait(world.ctx);

  EXPECT_TRUE(!evaluated && evaluated.error().code() == ErrorCode::kDialogOpen);
  EXPECT_TRUE(!typed && typed.error().code() == ErrorCode::kDialogOpen);
  EXPECT_TRUE(shot && shot->data == "aGk=");
  EXPECT_TRUE(world.page->is_open());
}

CO_TEST(SessionTest, ABlockedSessionSendsNothingThatOnlyThePageCanAnswer) {
  SessionWorld world(io);
  world.peer.On("Runtime.evaluate").Ignore();
  world.page->Block(Error(ErrorCode::kDialogOpen, "a dialog is open"));

  const auto refused = co_await world.page->Send(world.ctx, RuntimeEvaluate{.expression = "1"});
  EXPECT_TRUE(!refused && refused.error().code() == ErrorCode::kDialogOpen);
  EXPECT_EQ(world.peer.CountOf("Runtime.evaluate"), 0U);

  world.page->Unblock(ErrorCode::kTabCrashed);
  const auto still = co_await world.page->Send(world.ctx, RuntimeEvaluate{.expression = "1"});
  EXPECT_FALSE(still);

  world.page->Unblock(ErrorCode::kDialogOpen);
  auto sent = world.page->Post(RuntimeEvaluate{.expression = "1"});
  EXPECT_FALSE(sent.is_answered());
  EXPECT_EQ(world.peer.CountOf("Runtime.evaluate"), 1U);
}

CO_TEST(SessionTest, DetachingFailsCallsOfThatSessionOnly) {
  SessionWorld world(io);
  world.peer.Attach("S2");
  const auto other = world.connection.FindSession("S2");
  world.peer.On("Page.enable").Ignore();
  auto lost = world.page->Post(PageEnable{});
  auto kept = other->Post(PageEnable{});

  world.peer.Detach("S1");
  const auto gone = co_await lost.Wait(world.ctx);

  EXPECT_TRUE(!gone && gone.error().code() == ErrorCode::kTargetDetached);
  EXPECT_FALSE(kept.is_answered());
  EXPECT_FALSE(world.page->is_open());
  const auto sent_before = world.peer.sent().size();
  const auto after = co_await world.page->Send(world.ctx, PageEnable{});
  EXPECT_TRUE(!after && after.error().code() == ErrorCode::kTargetDetached);
  EXPECT_EQ(world.peer.sent().size(), sent_before) << "nothing leaves on a closed session";
}

CO_TEST(SessionTest, EventsArriveTypedAndInOrder) {
  SessionWorld world(io);
  std::vector<std::string> heard;
  const auto attached = world.page->On<PageFrameAttached>(
      [&](const auto& e) { heard.push_back("+" + e.frame_id + "<" + e.parent_frame_id); });
  auto detached = world.page->On<PageFrameDetached>(
      [&](const auto& e) { heard.push_back("-" + e.frame_id + e.reason.value_or("?")); });

  world.peer.Event("S1", "Page.frameAttached", R"({"frameId":"b","parentFrameId":"a","more":[]})");
  world.peer.Event("S1", "Page.frameDetached", R"({"frameId":"b","reason":null})");
  detached.Reset();
  world.peer.Event("S1", "Page.frameDetached", R"({"frameId":"c"})");

  EXPECT_EQ(heard, (std::vector<std::string>{"+b<a", "-b?"}));
  co_return;
}

CO_TEST(SessionTest, AnEventThatLacksAFieldIsSkipped) {
  SessionWorld world(io);
  int heard = 0;
  const auto subscription = world.page->On<PageFrameAttached>([&](const auto&) { ++heard; });

  world.peer.Event("S1", "Page.frameAttached", R"({"frameId":"b"})");
  world.peer.Event("S1", "Page.frameAttached", R"({"frameId":5,"parentFrameId":"a"})");

  EXPECT_EQ(heard, 0);
  co_return;
}

CO_TEST(SessionTest, NumbersMayComeInEitherForm) {
  SessionWorld world(io);
  std::vector<std::int64_t> heard;
  const auto subscription = world.page->On<RuntimeExecutionContextDestroyed>(
      [&](const auto& e) { heard.push_back(e.execution_context_id); });

  world.peer.Event("S1", "Runtime.executionContextDestroyed", R"({"executionContextId":3})");
  world.peer.Event("S1", "Runtime.executionContextDestroyed", R"({"executionContextId":4.0})");

  EXPECT_EQ(heard, (std::vector<std::int64_t>{3, 4}));
  co_return;
}

CO_TEST(SessionTest, AHandlerMayDetachTheSessionItListensTo) {
  SessionWorld world(io);
  int heard = 0;
  const auto subscription = world.page->On<PageFrameDetached>([&](const auto&) {
    ++heard;
    world.peer.Detach("S1");
    world.page.reset();
  });

  world.peer.Event("S1", "Page.frameDetached", R"({"frameId":"c"})");
  world.peer.Event("S1", "Page.frameDetached", R"({"frameId":"d"})");

  EXPECT_EQ(heard, 1);
  co_return;
}

}  // namespace
}  // namespace falconer::cdp
