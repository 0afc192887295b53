#include "browser/network/network_observer.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "base/base64.h"
#include "cdp/connection.h"
#include "tests/support/fake_network.h"

namespace falconer::browser {
namespace {

using namespace std::chrono_literals;
using model::NetworkEvent;
using model::NetworkEventKind;
using test::FakeCdpPeer;
using test::FakeNetwork;

// A page that the observer follows, spoken for by the test.
class NetworkObserverTest : public testing::Test {
 protected:
  NetworkObserverTest() { observer.Follow(Session("P", "page"), SourceKind::kPage); }

  std::shared_ptr<cdp::Session> Session(const std::string& id, const std::string& type) {
    peer.Attach(id, type);
    return connection.FindSession(id);
  }
  const NetworkEvent& Last() const { return observer.events().back(); }
  // "request 1", "response 1 302", ...: what happened, in order.
  std::vector<std::string> Story() const {
    std::vector<std::string> lines;
    for (const NetworkEvent& e : observer.events()) {
      std::string line(NameIn(model::kNetworkEventKinds, e.kind));
      line += " " + e.request_id;
      if (e.status != 0) line += " " + std::to_string(e.status);
      lines.push_back(line);
    }
    return lines;
  }

  boost::asio::io_context io;
  FakeClock clock;
  FakeCdpPeer peer{io.get_executor()};
  cdp::Connection connection{io.get_executor(), clock, peer.MakeTransport(), {}};
  Notifier changes;
  NetworkObserver observer{clock, changes, {.ring = 16, .max_requests = 32}};
  FakeNetwork page{peer, "P"};
};

TEST_F(NetworkObserverTest, LogsAnExchange) {
  page.Request({.id = "7", .url = "http://a.test:81/api/v1/users?q=1", .method = "POST"});
  page.Response({.id = "7", .status = 201, .mime = "text/html", .at = 100.25});
  page.Finish("7");

  EXPECT_EQ(Story(), (std::vector<std::string>{"request 7", "response 7 201"}));
  const NetworkEvent& response = Last();
  EXPECT_EQ(response.seq, 2u);
  EXPECT_EQ(response.method, "POST");
  EXPECT_EQ(response.url, "http://a.test:81/api/v1/users?q=1");
  EXPECT_EQ(response.route_key, "a.test:81/api/v1");
  EXPECT_EQ(response.latency, 250ms);
  EXPECT_EQ(response.status_class(), "2xx");
  EXPECT_EQ(response.content_type, "text/html");
  EXPECT_EQ(response.resource_type, "Fetch");
  EXPECT_EQ(response.frame, "F");
  EXPECT_EQ(response.ts, 24h * 365 * 50);
  EXPECT_FALSE(response.from_worker);
  EXPECT_FALSE(response.from_cache);
}

TEST_F(NetworkObserverTest, TellsEventsInOrderAsTheyAreLogged) {
  std::vector<std::uint64_t> heard;
  const auto subscription =
      observer.on_event().Subscribe([&](const NetworkEvent& e) { heard.push_back(e.seq); });

  page.Request({.id = "1"});
  page.Request({.id = "2"});
  page.Response({.id = "2"});
  page.Fail("1", "net::ERR_CONNECTION_REFUSED");

  EXPECT_EQ(heard, (std::vector<std::uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(observer.last_seq(), 4u);
}

TEST_F(NetworkObserverTest, EachHopOfARedirectIsAnExchangeOfItsOwn) {
  page.Request({.id = "1", .url = "http://a.test/old", .at = 10});
  page.Redirect({.id = "1", .url = "http://a.test/mid", .at = 10.1}, 302, "http://a.test/old");
  page.Redirect({.id = "1", .url = "http://b.test/new", .at = 10.3}, 307, "http://a.test/mid");
  page.Response({.id = "1", .url = "http://b.test/new", .at = 10.6});
  page.Finish("1");

  EXPECT_EQ(Story(), (std::vector<std::string>{"request 1", "response 1 302", "request 1",
                                               "response 1 307", "request 1", "response 1 200"}));
  const auto events = observer.EventsSince(0);
  EXPECT_EQ(events[1].url, "http://a.test/old");
  EXPECT_EQ(events[1].latency, 100ms);
  EXPECT_EQ(events[3].url, "http://a.test/mid");
  EXPECT_EQ(events[3].latency, 200ms);
  EXPECT_EQ(events[5].url, "http://b.test/new");
  EXPECT_EQ(observer.in_flight(), 0u);
}

TEST_F(NetworkObserverTest, AFailureCarriesItsSignature) {
  page.Request({.id = "1"});
  page.Fail("1", "net::ERR_NAME_NOT_RESOLVED");
  EXPECT_EQ(Last().kind, NetworkEventKind::kRequestFailed);
  EXPECT_EQ(Last().error_signature, "net::err_name_not_resolved");

  page.Request({.id = "2"});
  page.Emit("Network.loadingFailed", {{"requestId", "2"},
                                      {"timestamp", 1},
                                      {"type", "Fetch"},
                                      {"errorText", "net::ERR_BLOCKED_BY_CLIENT"},
                                      {"blockedReason", "csp"}});
  EXPECT_EQ(Last().error_signature, "blocked: csp");
  EXPECT_EQ(observer.in_flight(), 0u);
}

TEST_F(NetworkObserverTest, MarksWhatCameFromACache) {
  page.Request({.id = "1"});
  page.Emit("Network.requestServedFromCache", {{"requestId", "1"}});
  page.Response({.id = "1"});
  EXPECT_TRUE(Last().from_cache);

  page.Request({.id = "2"});
  page.Response({.id = "2", .from_disk_cache = true});
  EXPECT_TRUE(Last().from_cache);
}

TEST_F(NetworkObserverTest, ToleratesWhatTheBrowserForgetsToSay) {
  page.Finish("never heard of");
  page.Fail("nor this", "net::ERR_FAILED");
  page.Emit("Network.requestServedFromCache", {{"requestId", "nor that"}});
  EXPECT_EQ(observer.last_seq(), 0u);

  page.Response({.id = "1", .url = "http://a.test/x"});
  EXPECT_EQ(Story(), std::vector<std::string>{"response 1 200"});
  EXPECT_EQ(Last().route_key, "a.test/x");
  EXPECT_EQ(observer.in_flight(), 0u);

  page.Request({.id = "2"});
  page.Finish("2");
  EXPECT_EQ(observer.in_flight(), 0u) << "finished without an answer";
  page.Finish("2");
  page.Fail("2", "net::ERR_FAILED");
  EXPECT_EQ(observer.last_seq(), 2u) << "late words about a request that is over";
}

TEST_F(NetworkObserverTest, DataAddressesAreNotTraffic) {
  page.Request({.id = "1", .url = "data:text/html,hello"});
  page.Response({.id = "1", .url = "data:text/html,hello"});
  page.Finish("1");

  EXPECT_EQ(observer.last_seq(), 0u);
  EXPECT_EQ(observer.in_flight(), 0u);
}

TEST_F(NetworkObserverTest, TheSameRequestToldTwiceIsOneRequest) {
  observer.Follow(Session("C", "iframe"), SourceKind::kFrame);
  const FakeNetwork child(peer, "C");

  page.Request({.id = "1"});
  child.Request({.id = "1"});
  page.Response({.id = "1"});
  child.Response({.id = "1"});
  child.Finish("1");

  EXPECT_EQ(Story(), (std::vector<std::string>{"request 1", "response 1 200"}));
  EXPECT_EQ(observer.in_flight(), 0u);
}

TEST_F(NetworkObserverTest, KnowsWhenTheNetworkIsIdle) {
  const TimePoint start = clock.Now();
  page.Request({.id = "1", .frame = "F"});
  page.Request({.id = "2", .frame = "G"});
  EXPECT_EQ(observer.in_flight(), 2u);
  EXPECT_EQ(observer.in_flight("G"), 1u);

  clock.Advance(1s);
  page.Response({.id = "1"});
  page.Finish("1");
  clock.Advance(1s);
  page.Fail("2", "net::ERR_FAILED");
  clock.Advance(1s);

  EXPECT_EQ(observer.in_flight(), 0u);
  EXPECT_EQ(observer.idle_since(), start + 2s);
}

TEST_F(NetworkObserverTest, WhatNeverEndsOrConcernsNobodyDoesNotHoldIdleness) {
  page.Request({.id = "1", .type = "EventSource"});
  page.Request({.id = "2", .type = "Ping"});
  page.Request({.id = "3", .type = "CSPViolationReport"});
  page.Request({.id = "4", .url = "http://a.test/favicon.ico?v=2", .type = "Other"});
  page.Request({.id = "5", .type = "WebSocket"});
  EXPECT_EQ(observer.in_flight(), 0u);
  EXPECT_EQ(observer.last_seq(), 5u) << "they are events all the same";

  page.Request({.id = "6", .url = "http://a.test/favicon.ico", .type = "Image"});
  EXPECT_EQ(observer.in_flight(), 1u) << "a picture that the page shows";
  page.Finish("6");

  page.Request({.id = "7"});
  EXPECT_EQ(observer.in_flight(), 1u);
  page.Response({.id = "7", .mime = "text/event-stream"});
  EXPECT_EQ(observer.in_flight(), 0u) << "an event stream by fetch()";
}

TEST_F(NetworkObserverTest, WorkersAreMarkedAndOnlyThePagesOwnHoldIdleness) {
  observer.Follow(Session("W", "worker"), SourceKind::kWorker);
  observer.Follow(Session("SW", "service_worker"), SourceKind::kServiceWorker);
  const FakeNetwork worker(peer, "W");
  const FakeNetwork service(peer, "SW");

  service.Request({.id = "1"});
  EXPECT_EQ(observer.in_flight(), 0u);
  EXPECT_TRUE(Last().from_worker);
  worker.Request({.id = "2"});
  EXPECT_EQ(observer.in_flight(), 1u);
  EXPECT_TRUE(Last().from_worker);
  peer.Detach("W");

  EXPECT_EQ(observer.in_flight(), 0u);
}

TEST_F(NetworkObserverTest, ANewDocumentEndsWhatTheOldOneHadUnderWay) {
  page.Request({.id = "1", .frame = "F", .loader = "L1"});
  page.Request({.id = "2", .frame = "child", .loader = "L1c"});
  page.Request({.id = "L2", .type = "Document", .frame = "F", .loader = "L2"});
  page.Response({.id = "L2", .type = "Document", .frame = "F", .loader = "L2"});
  page.Request({.id = "3", .frame = "F", .loader = "L2"});
  EXPECT_EQ(observer.in_flight(), 4u);

  page.Commit("F", "L2");

  EXPECT_EQ(observer.in_flight(), 2u);
  page.Finish("L2");
  page.Finish("3");
  EXPECT_EQ(observer.in_flight(), 0u);
  EXPECT_EQ(observer.Summary(0).failed, 0u) << "nobody saw them fail";
}

TEST_F(NetworkObserverTest, ACommitLeavesANewerNavigationAlone) {
  page.Request({.id = "L2", .type = "Document", .loader = "L2"});
  page.Response({.id = "L2", .type = "Document", .loader = "L2"});
  page.Request({.id = "L3", .type = "Document", .loader = "L3"});

  page.Commit("F", "L2");
  EXPECT_EQ(observer.in_flight(), 2u);
  page.Response({.id = "L3", .type = "Document", .loader = "L3"});
  page.Commit("F", "L3");

  EXPECT_EQ(observer.in_flight(), 1u) << "the rest of L2 will never be told";
}

TEST_F(NetworkObserverTest, ACommitInAFrameConcernsThatFrameOnly) {
  page.Request({.id = "1", .frame = "F", .loader = "L1"});
  page.Request({.id = "2", .frame = "child", .loader = "C1"});

  page.Commit("child", "C2", "F");
  EXPECT_EQ(observer.in_flight(), 1u);
  page.Emit("Page.frameDetached", {{"frameId", "F"}, {"reason", "swap"}});
  EXPECT_EQ(observer.in_flight(), 1u);
  page.Emit("Page.frameDetached", {{"frameId", "F"}, {"reason", "remove"}});

  EXPECT_EQ(observer.in_flight(), 0u);
}

TEST_F(NetworkObserverTest, ADocumentThatHasBeenParsedHasArrived) {
  const auto lifecycle = [&](std::string_view name) {
    page.Emit("Page.lifecycleEvent",
              {{"frameId", "F"}, {"loaderId", "L1"}, {"name", name}, {"timestamp", 1}});
  };
  page.Request({.id = "L1", .type = "Document", .loader = "L1"});
  lifecycle("DOMContentLoaded");
  EXPECT_EQ(observer.in_flight(), 1u) << "a replay from before the answer";
  page.Response({.id = "L1", .type = "Document", .loader = "L1"});
  lifecycle("commit");
  EXPECT_EQ(observer.in_flight(), 1u);

  lifecycle("DOMContentLoaded");
  EXPECT_EQ(observer.in_flight(), 0u);
  page.Finish("L1");

  EXPECT_EQ(observer.in_flight(), 0u);
}

TEST_F(NetworkObserverTest, ADetachedTargetFailsWhatItHadUnderWay) {
  observer.Follow(Session("C", "iframe"), SourceKind::kFrame);
  const FakeNetwork child(peer, "C");
  page.Request({.id = "1"});
  page.Request({.id = "2", .type = "Document", .frame = "G", .loader = "2"});
  child.Response({.id = "2", .type = "Document", .frame = "G", .loader = "2"});

  peer.Detach("C");

  EXPECT_EQ(Last().kind, NetworkEventKind::kRequestFailed);
  EXPECT_EQ(Last().request_id, "2") << "it had moved to the frame's own process";
  EXPECT_EQ(Last().error_signature, "target_gone");
  EXPECT_EQ(observer.in_flight(), 1u);
}

TEST_F(NetworkObserverTest, ACrashFailsWhatWasUnderWayAndTheTabGoesOn) {
  page.Request({.id = "1"});
  page.Emit("Inspector.targetCrashed", {});
  EXPECT_EQ(Last().error_signature, "target_gone");
  EXPECT_EQ(observer.in_flight(), 0u);

  page.Request({.id = "2"});

  EXPECT_EQ(observer.in_flight(), 1u);
}

TEST_F(NetworkObserverTest, AnUnfollowedSessionIsNotHeard) {
  observer.Unfollow(*connection.FindSession("P"));
  page.Request({.id = "1"});

  EXPECT_EQ(observer.last_seq(), 0u);
}

TEST_F(NetworkObserverTest, FollowingTwiceCountsOnce) {
  observer.Follow(connection.FindSession("P"), SourceKind::kPage);
  page.Request({.id = "1"});

  EXPECT_EQ(observer.last_seq(), 1u);
}

TEST_F(NetworkObserverTest, TellsTheFrameTreeAboutNavigations) {
  std::vector<std::string> heard;
  const auto request = observer.on_document_request().Subscribe(
      [&](const std::string& frame, const std::string& loader) {
        heard.push_back("request " + frame + " " + loader);
      });
  const auto response =
      observer.on_document_response().Subscribe([&](const std::string& loader, int status) {
        heard.push_back("response " + loader + " " + std::to_string(status));
      });
  const auto failed = observer.on_document_failed().Subscribe(
      [&](const std::string& loader, const std::string& why) {
        heard.push_back("failed " + loader + " " + why);
      });

  page.Request({.id = "L1", .type = "Document", .loader = "L1"});
  page.Redirect({.id = "L1", .type = "Document", .loader = "L1"}, 301, "http://a.test/api");
  page.Response({.id = "L1", .status = 404, .type = "Document", .loader = "L1"});
  page.Request({.id = "L2", .type = "Document", .loader = "L2"});
  page.Fail("L2", "net::ERR_ABORTED");
  page.Request({.id = "9", .type = "Document", .loader = "L1"});
  page.Request({.id = "10", .type = "Script", .loader = "L1"});

  EXPECT_EQ(heard, (std::vector<std::string>{"request F L1", "response L1 404", "request F L2",
                                             "failed L2 net::err_aborted"}));
}

TEST_F(NetworkObserverTest, AnAnswerThatThePageDoesNotReadIsNoFailure) {
  page.Request({.id = "kept"});
  page.Response({.id = "kept", .status = 204});
  page.Fail("kept", "net::ERR_ABORTED");
  page.Request({.id = "cut"});
  page.Response({.id = "cut", .status = 200});
  page.Fail("cut", "net::ERR_CONNECTION_RESET");

  const auto summary = observer.Summary(0);
  EXPECT_EQ(summary.failed, 1u) << "only the one that was cut";
  EXPECT_EQ(observer.in_flight(), 0u);
}

TEST_F(NetworkObserverTest, SummarisesSinceAMarkAndCountsWhatIsLost) {
  page.Request({.id = "old"});
  page.Response({.id = "old", .status = 500});
  const auto mark = observer.last_seq();
  for (int i = 0; i < 10; ++i) {
    const std::string id = std::to_string(i);
    page.Request({.id = id});
    page.Response({.id = id, .status = i == 9 ? 503 : 200});
  }

  const auto summary = observer.Summary(mark);

  EXPECT_EQ(summary.requests + summary.responses, 16u) << "the ring";
  EXPECT_EQ(summary.dropped, 4u);
  EXPECT_EQ(summary.server_errors, 1u);
  ASSERT_EQ(summary.failures.size(), 1u);
  EXPECT_EQ(summary.failures[0].status, 503);
}

TEST_F(NetworkObserverTest, StaysBoundedUnderAFlood) {
  for (int i = 0; i < 5000; ++i) page.Request({.id = std::to_string(i)});

  EXPECT_EQ(observer.events().size(), 16u);
  EXPECT_EQ(observer.in_flight(), 32u);
  EXPECT_EQ(observer.Summary(0).dropped, 4984u);
}

TEST_F(NetworkObserverTest, HugeAddressesAreCut) {
  page.Request({.id = "1", .url = "http://a.test/?" + std::string(100000, 'q')});

  EXPECT_LE(Last().url.size(), 8192u);
}

TEST_F(NetworkObserverTest, TellsWebSocketMessages) {
  std::vector<WebSocketMessage> heard;
  const auto subscription =
      observer.on_websocket().Subscribe([&](const WebSocketMessage& m) { heard.push_back(m); });
  const auto frame = [](int opcode, std::string_view payload) {
    return json::object{
        {"requestId", "W"},
        {"timestamp", 1},
        {"response", {{"opcode", opcode}, {"mask", false}, {"payloadData", payload}}}};
  };

  page.Emit("Network.webSocketCreated", {{"requestId", "W"}, {"url", "ws://a.test/chat"}});
  page.Emit("Network.webSocketFrameSent", frame(1, "hello"));
  page.Emit("Network.webSocketFrameReceived", frame(2, EncodeBase64(std::string("\0\1", 2))));
  page.Emit("Network.webSocketFrameReceived", frame(8, ""));
  page.Emit("Network.webSocketFrameReceived", frame(2, "not base64!"));
  page.Emit("Network.webSocketClosed", {{"requestId", "W"}, {"timestamp", 2}});
  page.Emit("Network.webSocketFrameSent", frame(1, "late"));

  ASSERT_EQ(heard.size(), 3u);
  EXPECT_EQ(heard[0].url, "ws://a.test/chat");
  EXPECT_EQ(heard[0].direction, WebSocketDirection::kSent);
  EXPECT_EQ(heard[0].payload, "hello");
  EXPECT_FALSE(heard[1].is_text);
  EXPECT_EQ(heard[1].payload, std::string("\0\1", 2));
  EXPECT_EQ(heard[2].url, "");
  EXPECT_EQ(observer.in_flight(), 0u);
}

}  // namespace
}  // namespace falconer::browser
