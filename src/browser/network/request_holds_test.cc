#include "browser/network/request_holds.h"

#include "cdp/connection.h"
#include "tests/support/co_test.h"
#include "tests/support/fake_cdp_peer.h"
#include "tests/support/settle.h"

namespace falconer::browser {
namespace {

using test::FakeCdpPeer;
using test::Settle;

struct HoldsBench {
  explicit HoldsBench(const CallContext& ctx, RequestHolds::Limits limits = {})
      : peer(ctx.executor()),
        connection(ctx.executor(), ctx.clock(), peer.MakeTransport(), {}),
        backstop(std::make_shared<RequestBackstop>(connection.root())),
        holds(ctx.executor(), ctx.clock(), backstop, limits) {
    peer.Attach("page");
    backstop->Start();
    watch = holds.on_ended().Subscribe([this](const HoldEnd& end) { ends.push_back(end); });
  }

  std::shared_ptr<const HeldRequest> Keep(std::string id, std::string body = "b",
                                          std::string type = "xhr") {
    RequestHolds::Stopped stopped{.session = connection.FindSession("page"),
                                  .request_id = id,
                                  .network_id = "n-" + id,
                                  .owner = this};
    stopped.on_release = [this] { ++released; };
    stopped.on_refused = [this](const HeldRequest&, const RequestVerdict& verdict) {
      refusals.push_back(verdict.reason);
    };
    holds.Keep(std::move(stopped),
               {.method = "POST",
                .url = "http://a.test/pay?x=1",
                .tab = TabId("t1"),
                .resource_type = std::move(type),
                .body = std::move(body)},
               RequestVerdict::Hold("rule", "why"));
    return holds.all().back();
  }
  // A request at the second door.
  void Escape(std::string_view body) const {
    peer.Event("", "Fetch.requestPaused",
               json::serialize(json::object{
                   {"requestId", "root-1"},
                   {"frameId", "f"},
                   {"resourceType", "XHR"},
                   {"request",
                    {{"url", "http://a.test/pay?x=1"},
                     {"method", "POST"},
                     {"headers", json::object()},
                     {"postDataEntries", json::array{json::object{{"bytes", body}}}}}}}));
  }
  std::string LastPatterns() const {
    return json::serialize(peer.LastOf("Fetch.enable").params.at("patterns"));
  }

  FakeCdpPeer peer;
  cdp::Connection connection;
  std::shared_ptr<RequestBackstop> backstop;
  RequestHolds holds;
  std::vector<HoldEnd> ends;
  std::vector<std::string> refusals;
  int released = 0;
  Subscription watch;
};

CO_TEST(RequestHoldsTest, AReleasedRequestGoesOnWithoutAnyChange) {
  HoldsBench bench(ctx);
  const auto held = bench.Keep("r1");
  EXPECT_TRUE(bench.holds.Release(held->id, held->digest));
  EXPECT_EQ(json::serialize(bench.peer.LastOf("Fetch.continueRequest").params),
            R"({"requestId":"r1"})");
  EXPECT_EQ(bench.released, 1);
  EXPECT_TRUE(bench.ends.empty()) << "the browser has not confirmed it";
  EXPECT_EQ(bench.holds.Find(held->id), nullptr);
  EXPECT_FALSE(bench.holds.Release(held->id, held->digest));
  EXPECT_FALSE(bench.holds.Refuse(held->id, "late"));
  co_await Settle();
  EXPECT_EQ(bench.ends.at(0).why, HoldEnding::kReleased);
}

CO_TEST(RequestHoldsTest, AReleaseThatComesTooLateIsToldAsSuch) {
  HoldsBench bench(ctx);
  bench.peer.On("Fetch.continueRequest").Fail("Invalid InterceptionId.", -32602);
  const auto held = bench.Keep("r1");
  EXPECT_TRUE(bench.holds.Release(held->id, held->digest));
  co_await Settle();
  EXPECT_EQ(bench.ends.at(0).why, HoldEnding::kCancelled);
  EXPECT_FALSE(bench.ends.at(0).may_have_left);
}

CO_TEST(RequestHoldsTest, NobodyKnowsWhetherARequestLeftWhenTheTabGoesWithTheAnswer) {
  HoldsBench bench(ctx);
  bench.peer.On("Fetch.continueRequest").Ignore();
  const auto held = bench.Keep("r1");
  EXPECT_TRUE(bench.holds.Release(held->id, held->digest));
  bench.peer.Detach("page");
  EXPECT_EQ(bench.ends.at(0).why, HoldEnding::kTabGone);
  EXPECT_TRUE(bench.ends.at(0).may_have_left);
  co_await Settle();
  EXPECT_EQ(bench.ends.size(), 1U);
}

CO_TEST(RequestHoldsTest, ARequestThatFailsAfterItWasLetGoWasLetGo) {
  HoldsBench bench(ctx);
  const auto held = bench.Keep("r1");
  EXPECT_TRUE(bench.holds.Release(held->id, held->digest));
  bench.peer.Event("page", "Network.loadingFailed",
                   R"({"requestId": "n-r1", "timestamp": 1, "type": "XHR", "errorText": "x"})");
  co_await Settle();
  EXPECT_EQ(bench.ends.at(0).why, HoldEnding::kReleased);
}

CO_TEST(RequestHoldsTest, ADocumentIsAbortedAndEverythingElseBlocked) {
  HoldsBench bench(ctx);
  EXPECT_TRUE(bench.holds.Refuse(bench.Keep("r1", "b", "document")->id, "denied"));
  EXPECT_EQ(bench.peer.LastOf("Fetch.failRequest").params.at("errorReason"), "Aborted");
  EXPECT_TRUE(bench.holds.Refuse(bench.Keep("r2")->id, "denied"));
  EXPECT_EQ(bench.peer.LastOf("Fetch.failRequest").params.at("errorReason"), "BlockedByClient");
  EXPECT_EQ(bench.refusals, (std::vector<std::string>{"denied", "denied"}));
  co_return;
}

CO_TEST(RequestHoldsTest, AListenerMayDecideAtOnce) {
  HoldsBench bench(ctx);
  const auto decide = bench.holds.on_held().Subscribe(
      [&](const HeldRequest& held) { EXPECT_TRUE(bench.holds.Release(held.id, held.digest)); });
  RequestHolds::Stopped stopped{
      .session = bench.connection.FindSession("page"), .request_id = "r1", .on_release = [] {}};
  bench.holds.Keep(std::move(stopped), {.method = "POST", .url = "u"}, {});
  co_await Settle();
  EXPECT_EQ(bench.ends.at(0).why, HoldEnding::kReleased);
}

struct EndRow {
  std::string_view method;
  std::string_view params;
  HoldEnding why;
};

constexpr EndRow kEndRows[] = {
    {"Inspector.targetCrashed", "{}", HoldEnding::kPageCrashed},
    {"Network.loadingFailed",
     R"({"requestId": "n-r1", "timestamp": 1, "type": "XHR", "errorText": "net::ERR_ABORTED"})",
     HoldEnding::kCancelled},
};

CO_TEST(RequestHoldsTest, EventsEndHoldsWithTheirReason) {
  for (const EndRow& row : kEndRows) {
    HoldsBench bench(ctx);
    bench.Keep("r1");
    bench.peer.Event("page", row.method, row.params);
    EXPECT_EQ(bench.ends.at(0).why, row.why) << row.method;
    EXPECT_TRUE(bench.holds.all().empty());
  }
  co_return;
}

CO_TEST(RequestHoldsTest, TheFailureOfAnotherRequestEndsNothing) {
  HoldsBench bench(ctx);
  bench.Keep("r1");
  bench.peer.Event("page", "Network.loadingFailed",
                   R"({"requestId": "n-r2", "timestamp": 1, "type": "XHR", "errorText": "x"})");
  EXPECT_TRUE(bench.ends.empty());
  co_return;
}

CO_TEST(RequestHoldsTest, TheBrowserIsAskedWhatItStillHasWhenAFrameGoes) {
  HoldsBench bench(ctx);
  bench.Keep("r1");
  bench.peer.On("Fetch.getResponseBody").Fail("Can only get response body on HeadersReceived");
  bench.peer.Event("page", "Page.frameDetached", R"({"frameId": "f"})");
  co_await Settle();
  EXPECT_TRUE(bench.ends.empty());
  bench.peer.On("Fetch.getResponseBody").Fail("Invalid InterceptionId.", -32602);
  bench.holds.Recheck(&bench);
  co_await Settle();
  EXPECT_EQ(bench.ends.at(0).why, HoldEnding::kCancelled);
}

CO_TEST(RequestHoldsTest, WhatTheSessionEndsFailsAndIsToldOnce) {
  HoldsBench bench(ctx);
  bench.Keep("r1");
  bench.Keep("r2");
  bench.holds.EndTab(TabId("t2"), "other");
  EXPECT_TRUE(bench.ends.empty());
  bench.holds.EndAll(HoldEnding::kSessionClosed, "closed");
  EXPECT_EQ(bench.peer.CountOf("Fetch.failRequest"), 2U);
  bench.peer.HangUp();
  EXPECT_EQ(bench.ends.size(), 2U);
  co_return;
}

CO_TEST(RequestHoldsTest, CountAndBytesAreBounded) {
  HoldsBench bench(ctx, {.most = 2, .bytes = 100});
  const RequestFacts small{.url = "u"};
  EXPECT_EQ(bench.holds.Obstacle(small), "");
  EXPECT_EQ(bench.holds.Obstacle({.url = "u", .body = std::string(100, 'x')}),
            RequestHolds::kTooLarge);
  const auto first = bench.Keep("r1", std::string(60, 'x'));
  EXPECT_EQ(bench.holds.Obstacle({.url = "u", .body = std::string(60, 'x')}),
            RequestHolds::kTooLarge);
  bench.Keep("r2", "");
  EXPECT_EQ(bench.holds.Obstacle(small), RequestHolds::kTooMany);
  EXPECT_TRUE(bench.holds.Refuse(first->id, "denied"));
  EXPECT_EQ(bench.holds.Obstacle({.url = "u", .body = std::string(60, 'x')}), "");
  co_return;
}

CO_TEST(RequestHoldsTest, AHopIsKnownByItsSessionAndStop) {
  HoldsBench bench(ctx);
  const auto page = bench.connection.FindSession("page");
  const auto held = bench.Keep("r1");
  EXPECT_EQ(bench.holds.RedirectOf(*page, "r1"), "") << "it has not left";
  EXPECT_TRUE(bench.holds.Release(held->id, held->digest));
  EXPECT_EQ(bench.holds.RedirectOf(*page, "r1"), held->digest);
  EXPECT_EQ(bench.holds.RedirectOf(*page, "r2"), "");
  EXPECT_EQ(bench.holds.RedirectOf(*bench.connection.root(), "r1"), "");
  co_return;
}

CO_TEST(RequestHoldsTest, WhatWasLetGoIsNotHeldASecondTimeElsewhere) {
  HoldsBench bench(ctx);
  bench.peer.Attach("other");
  const auto page = bench.connection.FindSession("page");
  const auto other = bench.connection.FindSession("other");
  const auto held = bench.Keep("r1");
  EXPECT_FALSE(bench.holds.HasLetGo(*other, "n-r1", held->facts));
  EXPECT_TRUE(bench.holds.Release(held->id, held->digest));
  EXPECT_TRUE(bench.holds.HasLetGo(*other, "n-r1", held->facts));
  EXPECT_FALSE(bench.holds.HasLetGo(*page, "n-r1", held->facts));
  EXPECT_FALSE(bench.holds.HasLetGo(*other, "n-r2", held->facts));
  RequestFacts changed = held->facts;
  changed.body += "x";
  EXPECT_FALSE(bench.holds.HasLetGo(*other, "n-r1", changed));
  co_return;
}

CO_TEST(RequestHoldsTest, WhatEscapesItsClosingTabIsStoppedAtTheSecondDoor) {
  HoldsBench bench(ctx);
  bench.Keep("r1");
  EXPECT_TRUE(bench.LastPatterns().contains(R"(http://a.test/pay\\?x=1)")) << bench.LastPatterns();
  // Whichever of the two is heard of first.
  bench.Escape("Yg==");
  bench.peer.Detach("page");
  bench.Escape("Yg==");
  EXPECT_EQ(bench.peer.CountOf("Fetch.failRequest"), 2U);
  EXPECT_EQ(bench.peer.CountOf("Fetch.continueRequest"), 0U);
  bench.Escape("YmI=");
  EXPECT_EQ(bench.peer.CountOf("Fetch.continueRequest"), 1U) << "another request";
  co_return;
}

CO_TEST(RequestHoldsTest, TheSecondDoorIsOpenForWhatIsReleasedAndShutForItsTwin) {
  HoldsBench bench(ctx);
  const auto first = bench.Keep("r1");
  bench.Keep("r2");
  EXPECT_TRUE(bench.holds.Release(first->id, first->digest));
  EXPECT_EQ(bench.peer.CountOf("Fetch.continueRequest"), 1U);
  bench.Escape("Yg==");
  EXPECT_EQ(bench.peer.CountOf("Fetch.continueRequest"), 2U);
  bench.Escape("Yg==");
  EXPECT_EQ(bench.peer.CountOf("Fetch.failRequest"), 1U);
  co_return;
}

CO_TEST(RequestHoldsTest, TheSecondDoorStopsNothingOnceNothingIsHeld) {
  HoldsBench bench(ctx);
  const std::string none = bench.LastPatterns();
  const auto held = bench.Keep("r1");
  EXPECT_NE(bench.LastPatterns(), none);
  EXPECT_TRUE(bench.holds.Release(held->id, held->digest));
  EXPECT_EQ(bench.LastPatterns(), none);
  co_return;
}

// A request like one that was refused before, and is allowed now.
CO_TEST(RequestHoldsTest, WhatIsAllowedLaterPassesTheSecondDoorOnce) {
  HoldsBench bench(ctx);
  EXPECT_TRUE(bench.holds.Refuse(bench.Keep("r1")->id, "denied"));
  cdp::PausedRequest like{.url = "http://a.test/pay?x=1", .method = "POST"};
  like.post_data_entries.emplace().push_back({.bytes = "Yg=="});
  bench.backstop->NoteAllowed(like);
  bench.Escape("Yg==");
  EXPECT_EQ(bench.peer.CountOf("Fetch.continueRequest"), 1U);
  bench.Escape("Yg==");
  EXPECT_EQ(bench.peer.CountOf("Fetch.failRequest"), 2U);
  co_return;
}

CO_TEST(RequestHoldsTest, AnotherSessionPushesNothingOutOfTheSecondDoor) {
  HoldsBench bench(ctx);
  EXPECT_TRUE(bench.holds.Refuse(bench.Keep("r1")->id, "denied"));
  RequestHolds other(ctx.executor(), ctx.clock(), bench.backstop, {});
  for (int i = 0; i < 200; ++i) {
    const RequestFacts facts{.method = "POST", .url = "http://b.test/" + std::to_string(i)};
    bench.backstop->Guard(facts);
    bench.backstop->GiveUp(facts, &other);
  }
  EXPECT_FALSE(bench.LastPatterns().contains("http://b.test/100")) << "of its own the oldest go";
  EXPECT_TRUE(bench.LastPatterns().contains("http://b.test/199"));
  const auto failed = bench.peer.CountOf("Fetch.failRequest");
  bench.Escape("Yg==");
  EXPECT_EQ(bench.peer.CountOf("Fetch.failRequest"), failed + 1);
  co_return;
}

}  // namespace
}  // namespace falconer::browser
