#include "browser/network/network_bodies.h"

#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "base/base64.h"
#include "browser/network/network_observer.h"
#include "cdp/connection.h"
#include "tests/support/co_test.h"
#include "tests/support/fake_network.h"
#include "tests/support/settle.h"

namespace falconer::browser {
namespace {

using namespace std::chrono_literals;
using model::NetworkEvent;
using test::FakeCdpPeer;
using test::FakeNetwork;
using test::Settle;

constexpr std::string_view kGetBody = "Network.getResponseBody";

std::string Reply(std::string_view body) {
  return json::serialize(json::object{{"body", body}, {"base64Encoded", false}});
}

// Bodies are tested through the observer that feeds them.
struct BodiesWorld {
  explicit BodiesWorld(boost::asio::io_context* io, NetworkBodyLimits limits = {})
      : peer(io->get_executor()),
        connection(io->get_executor(), clock, peer.MakeTransport(), {}),
        ctx(io->get_executor(), clock),
        scope(io->get_executor()) {
    observer = std::make_unique<NetworkObserver>(
        clock, changes, NetworkObserver::Options{.ring = 64, .bodies = limits});
    peer.Attach("P");
    session = connection.FindSession("P");
    observer->Follow(session, SourceKind::kPage);
  }

  void Bodies(std::string_view body) { peer.On(std::string(kGetBody)).Reply(Reply(body)); }
  std::size_t reads() const { return peer.CountOf(kGetBody); }
  NetworkEvent Last() const { return observer->events().back(); }
  // For tests that leave a read unanswered: lets it end while there is still a clock.
  Task<void> End() {
    observer.reset();
    co_await scope.Stop();
    co_await Settle();
  }

  FakeClock clock;
  FakeCdpPeer peer;
  cdp::Connection connection;
  Notifier changes;
  std::unique_ptr<NetworkObserver> observer;
  std::shared_ptr<cdp::Session> session;
  FakeNetwork page{peer, "P"};
  CallContext ctx;
  TaskScope scope;
};

Task<void> ReadInto(BodiesWorld* world, CallContext ctx, std::string id,
                    std::optional<Result<Body>>* out) {
  *out = co_await world->observer->ReadBody(ctx, id);
}

Task<void> SettledInto(BodiesWorld* world, CallContext ctx, std::uint64_t seq,
                       std::optional<Result<void>>* out) {
  *out = co_await world->observer->Settled(ctx, seq);
}

template <typename T>
std::optional<ErrorCode> CodeOf(const std::optional<Result<T>>& result) {
  if (!result || result->has_value()) return std::nullopt;
  return result->error().code();
}

CO_TEST(NetworkBodiesTest, JudgesJsonAnswers) {
  BodiesWorld world(io);
  world.Bodies(R"({"success":false,"user":{"id":1}})");
  std::vector<NetworkEvent> judged;
  const auto subscription =
      world.observer->on_judged().Subscribe([&](const auto& e) { judged.push_back(e); });

  world.page.JsonExchange("1");
  EXPECT_EQ(world.reads(), 1u) << "read at once: the page may move on";
  const auto settled = co_await world.observer->Settled(world.ctx, 0);

  EXPECT_TRUE(settled);
  EXPECT_TRUE(world.Last().silent_failure);
  EXPECT_EQ(world.Last().error_signature, "success_false");
  EXPECT_EQ(world.Last().json_shape_hash.size(), 16u);
  EXPECT_EQ(judged.size(), 1u);
  if (!judged.empty()) EXPECT_EQ(judged[0].seq, 2u);
  EXPECT_EQ(world.observer->Summary(0).silent_failures, 1u);
}

CO_TEST(NetworkBodiesTest, AnOrdinaryAnswerIsNoFailure) {
  BodiesWorld world(io);
  world.Bodies(R"({"success":true,"error":null})");

  world.page.JsonExchange("1");
  co_await world.observer->Settled(world.ctx, 0);

  EXPECT_FALSE(world.Last().silent_failure);
  EXPECT_EQ(world.Last().error_signature, "");
  EXPECT_NE(world.Last().json_shape_hash, "");
}

CO_TEST(NetworkBodiesTest, AnHonestErrorIsNotSilent) {
  BodiesWorld world(io);
  world.Bodies(R"({"error":{"code":"not_found"}})");

  world.page.JsonExchange("1", 404);
  co_await world.observer->Settled(world.ctx, 0);

  EXPECT_FALSE(world.Last().silent_failure);
  EXPECT_EQ(world.Last().error_signature, "error: not_found");
}

CO_TEST(NetworkBodiesTest, ABodyThatIsNotJsonIsASilentFailure) {
  BodiesWorld world(io);
  world.Bodies("<html>Sorry</html>");

  world.page.JsonExchange("1");
  co_await world.observer->Settled(world.ctx, 0);

  EXPECT_TRUE(world.Last().silent_failure);
  EXPECT_EQ(world.Last().error_signature, "parse_error");
}

CO_TEST(NetworkBodiesTest, AGuardedAnswerIsStillJson) {
  BodiesWorld world(io);
  world.Bodies(")]}',\n{\"ok\":1}");

  world.page.JsonExchange("1");
  co_await world.observer->Settled(world.ctx, 0);

  EXPECT_FALSE(world.Last().silent_failure);
  EXPECT_NE(world.Last().json_shape_hash, "");
}

CO_TEST(NetworkBodiesTest, ReadsOnlyWhatIsToBeJudged) {
  BodiesWorld world(io);
  const auto exchange = [&](test::FakeRequest request, test::FakeResponse response, int bytes) {
    world.page.Request(request);
    world.page.Response(response);
    world.page.Finish(request.id, bytes);
  };

  exchange({.id = "html"}, {.id = "html", .mime = "text/html"}, 10);
  exchange({.id = "doc", .type = "Document"},
           {.id = "doc", .mime = "application/json", .type = "Document"}, 10);
  exchange({.id = "empty"}, {.id = "empty", .status = 204, .mime = "application/json"}, 10);
  exchange({.id = "head", .method = "HEAD"}, {.id = "head", .mime = "application/json"}, 10);
  exchange({.id = "big"}, {.id = "big", .mime = "application/json"}, 300 * 1024);
  EXPECT_EQ(world.reads(), 0u);
  exchange({.id = "problem"}, {.id = "problem", .mime = "application/problem+json"}, 10);
  EXPECT_EQ(world.reads(), 1u);
  co_await world.End();
}

CO_TEST(NetworkBodiesTest, JudgingCanBeSwitchedOff) {
  BodiesWorld world(io, {.judge_json = false});

  world.page.JsonExchange("1");

  EXPECT_EQ(world.reads(), 0u);
  co_return;
}

CO_TEST(NetworkBodiesTest, SettledWaitsForBodiesThatAreStillComing) {
  BodiesWorld world(io);
  world.Bodies(R"({"success":false})");
  world.page.Request({.id = "1"});
  world.page.Response({.id = "1", .mime = "application/json"});
  std::optional<Result<void>> settled;
  std::optional<Result<void>> later;
  world.scope.Spawn("settled", SettledInto(&world, world.ctx, 0, &settled));
  world.scope.Spawn("later", SettledInto(&world, world.ctx, world.observer->last_seq(), &later));
  co_await Settle();
  EXPECT_FALSE(settled);
  EXPECT_TRUE(later) << "nothing after its mark";

  world.page.Finish("1");
  co_await Settle();

  EXPECT_TRUE(settled && settled->has_value());
  EXPECT_TRUE(world.Last().silent_failure);
}

CO_TEST(NetworkBodiesTest, SettledFailsAtItsDeadline) {
  BodiesWorld world(io);
  world.peer.On(std::string(kGetBody)).Ignore();
  world.page.JsonExchange("1");
  std::optional<Result<void>> settled;
  world.scope.Spawn("settled", SettledInto(&world, world.ctx.WithTimeout(1s), 0, &settled));
  co_await Settle();

  world.clock.Advance(1s);
  co_await Settle();

  EXPECT_EQ(CodeOf(settled), ErrorCode::kTimeout);
  co_await world.End();
}

CO_TEST(NetworkBodiesTest, ABodyThatCannotBeReadIsSettledToo) {
  BodiesWorld world(io);
  world.peer.On(std::string(kGetBody)).Fail("No resource with given identifier found");
  world.page.JsonExchange("1");

  const auto settled = co_await world.observer->Settled(world.ctx, 0);

  EXPECT_TRUE(settled);
  EXPECT_EQ(world.Last().json_shape_hash, "");
  EXPECT_FALSE(world.Last().silent_failure);
}

CO_TEST(NetworkBodiesTest, ADialogPostponesTheJudgement) {
  BodiesWorld world(io);
  world.peer.On(std::string(kGetBody)).Ignore();
  world.page.JsonExchange("1");
  co_await Settle();

  world.page.Emit("Page.javascriptDialogOpening",
                  {{"url", "http://a.test/"}, {"message", "failed"}, {"type", "alert"}});
  world.session->InterruptCalls(Error(ErrorCode::kDialogOpen, "a dialog is open"));
  const auto settled = co_await world.observer->Settled(world.ctx, 0);
  EXPECT_TRUE(settled) << "a dialog must not make everybody wait";
  world.page.JsonExchange("2");
  EXPECT_EQ(world.reads(), 1u) << "asking a page behind a dialog is no use";
  world.Bodies(R"({"success":false})");
  world.page.Emit("Page.javascriptDialogClosed", {{"result", true}});
  co_await Settle();

  EXPECT_EQ(world.reads(), 3u);
  EXPECT_EQ(world.observer->Summary(0).silent_failures, 2u);
  co_await world.End();
}

CO_TEST(NetworkBodiesTest, LimitsTheReadsAtATimeAndTheOnesThatWait) {
  BodiesWorld world(io, {.max_reads = 2, .max_waiting = 3});
  world.peer.On(std::string(kGetBody)).Ignore();
  for (int i = 0; i < 10; ++i) world.page.JsonExchange(std::to_string(i));
  EXPECT_EQ(world.reads(), 2u);
  EXPECT_EQ(world.observer->dropped_bodies(), 5u);

  const auto sent = world.peer.sent();
  for (const auto& command : sent) world.peer.Answer(command, Reply("{}"));
  co_await Settle();

  EXPECT_EQ(world.reads(), 4u);
  co_await world.End();
}

CO_TEST(NetworkBodiesTest, ADetachedTargetLeavesNothingToWaitFor) {
  BodiesWorld world(io);
  world.peer.On(std::string(kGetBody)).Ignore();
  world.page.JsonExchange("1");
  co_await Settle();

  world.peer.Detach("P");
  const auto settled = co_await world.observer->Settled(world.ctx, 0);

  EXPECT_TRUE(settled);
  co_await world.End();
}

CO_TEST(NetworkBodiesTest, KeepsWhatARuleAsksForEvenWhenThePageMovesOn) {
  BodiesWorld world(io);
  world.Bodies("the page itself");
  auto url = model::Pattern::Compile("http://a.test/**", model::PatternMode::kGlob);
  auto rule = world.observer->WantBodies({.url = *url, .types = {"Document"}});
  world.page.Request({.id = "D", .type = "Document"});
  world.page.Response({.id = "D", .mime = "text/html", .type = "Document"});
  world.page.Finish("D");
  world.page.Request({.id = "F"});
  world.page.Response({.id = "F"});
  world.page.Finish("F");
  co_await Settle();
  EXPECT_EQ(world.reads(), 1u) << "the other type is not asked for";

  world.peer.On(std::string(kGetBody)).Fail("No resource with given identifier found");
  const auto kept = co_await world.observer->ReadBody(world.ctx, "D");
  rule.Reset();
  const auto gone = co_await world.observer->ReadBody(world.ctx, "D");

  EXPECT_TRUE(kept && kept->bytes == "the page itself");
  EXPECT_TRUE(!gone && gone.error().code() == ErrorCode::kNotFound);
}

CO_TEST(NetworkBodiesTest, KeepsOnlyTheNewestWithinItsBounds) {
  BodiesWorld world(io, {.max_kept_bytes = 100, .max_kept = 3});
  world.Bodies(std::string(40, 'x'));
  const auto rule = world.observer->WantBodies({});
  for (int i = 0; i < 5; ++i) {
    world.page.Request({.id = std::to_string(i)});
    world.page.Response({.id = std::to_string(i)});
    world.page.Finish(std::to_string(i));
    co_await Settle();
  }
  EXPECT_EQ(world.observer->dropped_bodies(), 3u);

  world.peer.On(std::string(kGetBody)).Fail("No data found for resource with given identifier");
  const auto old = co_await world.observer->ReadBody(world.ctx, "2");
  const auto fresh = co_await world.observer->ReadBody(world.ctx, "3");

  EXPECT_FALSE(old);
  EXPECT_TRUE(fresh);
}

CO_TEST(NetworkBodiesTest, ARuleMayOutliveTheObserver) {
  BodiesWorld world(io);
  auto rule = world.observer->WantBodies({});
  world.observer.reset();
  rule.Reset();
  co_return;
}

CO_TEST(NetworkBodiesTest, TheObserverMayGoWhileABodyIsRead) {
  BodiesWorld world(io);
  world.peer.On(std::string(kGetBody)).Ignore();
  world.page.JsonExchange("1");
  co_await Settle();

  world.observer.reset();
  world.peer.Answer(world.peer.LastOf(kGetBody), Reply("{}"));
  co_await Settle();

  EXPECT_EQ(world.reads(), 1u);
}

CO_TEST(NetworkBodiesTest, ReadsABodyOnDemand) {
  BodiesWorld world(io);
  world.peer.On(std::string(kGetBody))
      .Reply(json::serialize(
          json::object{{"body", EncodeBase64("\xff\xd8 picture")}, {"base64Encoded", true}}));
  world.page.Request({.id = "1", .type = "Image"});
  world.page.Response({.id = "1", .mime = "image/jpeg", .type = "Image"});
  std::optional<Result<Body>> body;
  world.scope.Spawn("read", ReadInto(&world, world.ctx, "1", &body));
  co_await Settle();
  EXPECT_FALSE(body) << "it is not complete";

  world.page.Finish("1");
  co_await Settle();

  EXPECT_TRUE(body && body->has_value() && (*body)->bytes == "\xff\xd8 picture");
}

CO_TEST(NetworkBodiesTest, ALongBodyIsCutAndSaysSo) {
  BodiesWorld world(io, {.max_body_bytes = 4});
  world.Bodies("123456789");
  world.page.Request({.id = "1"});
  world.page.Response({.id = "1"});
  world.page.Finish("1");

  const auto body = co_await world.observer->ReadBody(world.ctx, "1");

  EXPECT_TRUE(body && body->bytes == "1234" && body->is_truncated);
}

CO_TEST(NetworkBodiesTest, SaysWhyThereIsNoBody) {
  BodiesWorld world(io);
  world.peer.Attach("C", "iframe");
  world.observer->Follow(world.connection.FindSession("C"), SourceKind::kFrame);
  const FakeNetwork child(world.peer, "C");
  child.Request({.id = "gone"});
  child.Response({.id = "gone"});
  child.Finish("gone");
  world.peer.Detach("C");
  world.page.Request({.id = "failed"});
  world.page.Fail("failed", "net::ERR_FAILED");
  world.page.Request({.id = "wrong"});
  world.page.Response({.id = "wrong"});
  world.page.Finish("wrong");
  world.peer.On(std::string(kGetBody)).Reply(R"({"body":"%%%","base64Encoded":true})");

  const auto unknown = co_await world.observer->ReadBody(world.ctx, "no such request");
  const auto gone = co_await world.observer->ReadBody(world.ctx, "gone");
  const auto failed = co_await world.observer->ReadBody(world.ctx, "failed");
  const auto wrong = co_await world.observer->ReadBody(world.ctx, "wrong");

  EXPECT_TRUE(!unknown && unknown.error().code() == ErrorCode::kNotFound);
  EXPECT_TRUE(!gone && gone.error().code() == ErrorCode::kTargetDetached);
  EXPECT_TRUE(!failed && failed.error().code() == ErrorCode::kNetworkError);
  EXPECT_TRUE(!wrong && wrong.error().code() == ErrorCode::kInvalidArgument);
}

CO_TEST(NetworkBodiesTest, WaitingForABodyEndsAtTheDeadline) {
  BodiesWorld world(io);
  world.page.Request({.id = "1"});
  std::optional<Result<Body>> body;
  world.scope.Spawn("read", ReadInto(&world, world.ctx.WithTimeout(2s), "1", &body));
  co_await Settle();

  world.clock.Advance(2s);
  co_await Settle();

  EXPECT_EQ(CodeOf(body), ErrorCode::kTimeout);
}

}  // namespace
}  // namespace falconer::browser
