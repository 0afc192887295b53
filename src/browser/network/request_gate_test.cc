#include "browser/network/request_gate.h"

#include <functional>

#include "cdp/connection.h"
#include "tests/support/co_test.h"
#include "tests/support/fake_cdp_peer.h"

namespace falconer::browser {
namespace {

using test::FakeCdpPeer;
using enum RequestGate::Holds;

// Refuses every address that has "evil" in it, holds those with "risky", and remembers what it was
// asked.
class NoEvil : public RequestRule {
 public:
  RequestVerdict Decide(const RequestFacts& facts) override {
    asked.push_back(facts);
    if (facts.url.contains("risky")) return RequestVerdict::Hold("ask", "needs_approval");
    if (!facts.url.contains("evil")) return {};
    return RequestVerdict::Refuse("no evil", "denied_by_rule");
  }
  std::vector<SocketRule> SocketRules() const override {
    return {{"wss://good.test:*/*", SocketRule::Effect::kAllow}};
  }
  bool MayHold() const override { return may_hold; }
  std::vector<RequestFacts> asked;
  bool may_hold = true;
};

struct Paused {
  std::string url;
  std::string type = "Image";
  std::string frame = "target-page";
  std::string network_id = "n1";
  bool is_redirected = false;
  std::string method = "GET";
};

struct GateBench {
  explicit GateBench(const CallContext& ctx)
      : peer(ctx.executor()),
        connection(ctx.executor(), ctx.clock(), peer.MakeTransport(), {}),
        frames(documents, changes),
        network(ctx.clock(), changes, {}),
        holds(ctx.executor(), ctx.clock(), std::make_shared<RequestBackstop>(connection.root()),
              {}) {
    options.request_rule = rule;
    peer.Attach("page");
    network.Follow(page(), SourceKind::kPage);
  }
  std::shared_ptr<cdp::Session> page() { return connection.FindSession("page"); }
  RequestGate::Place PlaceOf(RequestGate::Place::Origin origin) {
    return {.tab = TabId("t1"),
            .main_frame_id = "target-page",
            .frames = &frames,
            .network = &network,
            .holds = &holds,
            .origin = origin};
  }
  void Pause(const Paused& paused) const {
    json::object event{{"requestId", "r1"},
                       {"request",
                        {{"url", paused.url},
                         {"method", paused.method},
                         {"headers", {{"Referer", "https://from.test/page"}}}}},
                       {"frameId", paused.frame},
                       {"resourceType", paused.type},
                       {"networkId", paused.network_id}};
    if (paused.is_redirected) event["redirectedRequestId"] = "r0";
    if (paused.method == "POST") {
      event["request"].get_object()["postDataEntries"] =
          json::array{{{"bytes", "YT0x"}}, json::object(), {{"bytes", "Jg=="}}};
    }
    peer.Event("page", "Fetch.requestPaused", json::serialize(event));
  }
  std::string FailedWith() const {
    return std::string(peer.LastOf("Fetch.failRequest").params.at("errorReason").get_string());
  }

  std::shared_ptr<NoEvil> rule = std::make_shared<NoEvil>();
  SessionOptions options;
  FakeCdpPeer peer;
  cdp::Connection connection;
  Notifier changes;
  DocumentCommons documents;
  FrameTree frames;
  NetworkObserver network;
  RequestHolds holds;
};

using enum RequestGate::Place::Origin;

CO_TEST(RequestGateTest, InterceptsNothingWithoutARule) {
  GateBench bench(ctx);
  bench.options.request_rule.reset();
  RequestGate gate(bench.options, bench.PlaceOf(kCaller));
  gate.Follow(bench.page(), kRequestsAndSockets);
  EXPECT_EQ(bench.peer.CountOf("Fetch.enable"), 0U);
  EXPECT_EQ(bench.peer.CountOf("Network.emulateNetworkConditionsByRule"), 0U);
  EXPECT_TRUE(gate.MayOpen("http://evil.test/"));
  co_return;
}

CO_TEST(RequestGateTest, InterceptsOnceForRuleAndCredentials) {
  GateBench bench(ctx);
  bench.options.http_credentials = Credentials{.username = "falcon", .password = "hood"};
  RequestGate gate(bench.options, bench.PlaceOf(kCaller));
  gate.Follow(bench.page(), kRequestsAndSockets);
  EXPECT_EQ(bench.peer.CountOf("Fetch.enable"), 1U);
  EXPECT_EQ(bench.peer.LastOf("Fetch.enable").params.at("handleAuthRequests"), true);
  co_return;
}

CO_TEST(RequestGateTest, CredentialsAloneLetEveryRequestGoOn) {
  GateBench bench(ctx);
  bench.options.request_rule.reset();
  bench.options.http_credentials = Credentials{.username = "falcon", .password = "hood"};
  RequestGate gate(bench.options, bench.PlaceOf(kCaller));
  gate.Follow(bench.page(), kRequestsAndSockets);
  bench.Pause({.url = "http://evil.test/"});
  EXPECT_EQ(bench.peer.LastOf("Fetch.continueRequest").params.at("requestId"), "r1");
  EXPECT_EQ(bench.peer.CountOf("Fetch.failRequest"), 0U);
  co_return;
}

CO_TEST(RequestGateTest, AWorkerWithoutInterceptionGetsItsSocketsHeld) {
  GateBench bench(ctx);
  RequestGate gate(bench.options, bench.PlaceOf(kCaller));
  gate.Follow(bench.page(), kSocketsOnly);
  EXPECT_EQ(bench.peer.CountOf("Fetch.enable"), 0U);
  const auto sent = bench.peer.LastOf("Network.emulateNetworkConditionsByRule");
  const auto& rules = sent.params.at("matchedNetworkConditions").get_array();
  EXPECT_EQ(rules.size(), 3U);
  EXPECT_EQ(rules.front().at("urlPattern"), "wss://good.test:*/*");
  EXPECT_EQ(rules.front().at("offline"), false);
  EXPECT_EQ(rules.back().at("urlPattern"), "wss://*:*/*");
  EXPECT_EQ(rules.back().at("offline"), true);
  co_return;
}

CO_TEST(RequestGateTest, AWorkerWhoseSocketsCannotBeHeldHasNoneAlsoWhenItIsRestarted) {
  GateBench bench(ctx);
  RequestGate gate(bench.options, {});
  gate.Follow(bench.page(), kRequestsNoSockets);
  EXPECT_EQ(bench.peer.CountOf("Fetch.enable"), 1U);
  EXPECT_EQ(bench.peer.CountOf("Runtime.evaluate"), 1U);
  bench.peer.Event("page", "Inspector.targetReloadedAfterCrash", "{}");
  EXPECT_EQ(bench.peer.CountOf("Runtime.evaluate"), 2U);
  co_return;
}

CO_TEST(RequestGateTest, AllowedRequestsGoOnUnchanged) {
  GateBench bench(ctx);
  RequestGate gate(bench.options, bench.PlaceOf(kCaller));
  gate.Follow(bench.page(), kRequestsAndSockets);
  bench.Pause({.url = "http://good.test/"});
  EXPECT_EQ(json::serialize(bench.peer.LastOf("Fetch.continueRequest").params),
            R"({"requestId":"r1"})");
  EXPECT_EQ(gate.last_seq(), 0U);
  co_return;
}

CO_TEST(RequestGateTest, ARefusedPageIsAbortedAndOtherRequestsAreBlocked) {
  GateBench bench(ctx);
  RequestGate gate(bench.options, bench.PlaceOf(kCaller));
  gate.Follow(bench.page(), kRequestsAndSockets);

  bench.Pause({.url = "http://evil.test/", .type = "Document"});
  EXPECT_EQ(bench.FailedWith(), "Aborted");
  bench.Pause({.url = "http://evil.test/", .type = "Document", .frame = "other"});
  EXPECT_EQ(bench.FailedWith(), "BlockedByClient");
  bench.Pause({.url = "http://evil.test/", .type = "XHR"});
  EXPECT_EQ(bench.FailedWith(), "BlockedByClient");

  EXPECT_EQ(bench.peer.CountOf("Fetch.continueRequest"), 0U);
  EXPECT_EQ(gate.Since(1).size(), 2U);
  EXPECT_TRUE(gate.PageSince(0));
  EXPECT_FALSE(gate.PageSince(1));
  co_return;
}

CO_TEST(RequestGateTest, TellsTheRuleWhatTheRequestIsFor) {
  GateBench bench(ctx);
  RequestGate gate(bench.options, bench.PlaceOf(kPopup));
  gate.Follow(bench.page(), kRequestsAndSockets);
  const std::pair<Paused, RequestUse> cases[] = {
      {{.url = "http://a.test/1", .type = "Document"}, RequestUse::kPopup},
      {{.url = "http://a.test/2", .type = "Document", .is_redirected = true},
       RequestUse::kRedirect},
      {{.url = "http://a.test/3", .type = "Document"}, RequestUse::kNavigation},
      {{.url = "http://a.test/4", .type = "Document", .frame = "inner"}, RequestUse::kFrame},
      {{.url = "http://a.test/5", .type = "Document", .frame = "inner", .is_redirected = true},
       RequestUse::kFrame},
      {{.url = "http://a.test/6", .type = "Script", .is_redirected = true},
       RequestUse::kSubresource},
  };
  for (const auto& [paused, use] : cases) {
    bench.Pause(paused);
    EXPECT_EQ(bench.rule->asked.back().url, paused.url);
    EXPECT_EQ(bench.rule->asked.back().use, use) << paused.url;
    EXPECT_EQ(bench.rule->asked.back().tab, TabId("t1"));
  }
  EXPECT_EQ(bench.rule->asked.front().initiator_origin, "https://from.test");
  co_return;
}

CO_TEST(RequestGateTest, TheFailureOfARefusedRequestSaysWhy) {
  GateBench bench(ctx);
  RequestGate gate(bench.options, bench.PlaceOf(kCaller));
  gate.Follow(bench.page(), kRequestsAndSockets);
  bench.peer.Event("page", "Network.requestWillBeSent",
                   R"({"requestId": "n1", "loaderId": "l1", "timestamp": 1, "type": "Image",
                       "request": {"url": "http://evil.test/", "method": "GET", "headers": {}}})");
  bench.Pause({.url = "http://evil.test/"});
  bench.peer.Event("page", "Network.loadingFailed",
                   R"({"requestId": "n1", "timestamp": 2, "type": "Image",
                       "errorText": "net::ERR_BLOCKED_BY_CLIENT", "blockedReason": "inspector"})");
  EXPECT_EQ(bench.network.events().back().error_signature, model::kBlockedByRule);
  EXPECT_EQ(bench.network.Summary(0).refused, 1U);
  co_return;
}

CO_TEST(RequestGateTest, ARefusedSocketIsEvidenceToo) {
  GateBench bench(ctx);
  RequestGate gate(bench.options, bench.PlaceOf(kCaller));
  gate.Follow(bench.page(), kRequestsAndSockets);
  bench.peer.Event("page", "Network.webSocketCreated",
                   R"({"requestId": "w1", "url": "wss://good.test/"})");
  EXPECT_EQ(gate.last_seq(), 0U);
  bench.peer.Event("page", "Network.webSocketCreated",
                   R"({"requestId": "w2", "url": "wss://evil.test/"})");
  EXPECT_EQ(gate.Since(0).at(0).facts.url, "wss://evil.test/");
  EXPECT_EQ(bench.network.Summary(0).refused, 1U);
  co_return;
}

CO_TEST(RequestGateTest, ADocumentThatNoRequestAnnouncedIsTakenAway) {
  GateBench bench(ctx);
  RequestGate gate(bench.options, bench.PlaceOf(kCaller));
  gate.Follow(bench.page(), kRequestsAndSockets);
  const auto commit = [&](std::string_view url) {
    bench.peer.Event("page", "Page.frameNavigated",
                     json::serialize(json::object{
                         {"frame", {{"id", "target-page"}, {"loaderId", "l"}, {"url", url}}}}));
  };
  commit("http://evil.test/");
  commit("data:text/html,good");
  EXPECT_EQ(bench.peer.CountOf("Page.navigate"), 0U);
  commit("data:text/html,evil");
  EXPECT_EQ(bench.peer.LastOf("Page.navigate").params.at("url"), "about:blank");
  EXPECT_TRUE(gate.PageSince(0));
  std::size_t taken = 1;
  for (const char* url : {"file:///evil", "view-source:http://evil.test/", "chrome://evil",
                          "devtools://evil", "chrome-extension://evil/x", "blob:http://evil/1"}) {
    commit(url);
    EXPECT_EQ(bench.peer.CountOf("Page.navigate"), ++taken) << url;
  }
  commit("chrome-error://chromewebdata/");
  EXPECT_EQ(bench.peer.CountOf("Page.navigate"), taken) << "what the browser shows of a failure";
  co_return;
}

CO_TEST(RequestGateTest, APageThatMayNotBeOpenedIsRefusedWithRuleAndReason) {
  GateBench bench(ctx);
  RequestGate gate(bench.options, bench.PlaceOf(kCaller));
  const auto refused = gate.MayOpen("data:text/html,evil");
  EXPECT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kSecurityDomainBlock);
  EXPECT_EQ(json::serialize(refused.error().details()),
            R"({"url":"data:text/html,evil","use":"navigation","rule":"no evil",)"
            R"("reason":"denied_by_rule"})");
  EXPECT_TRUE(gate.MayOpen("about:blank"));
  co_return;
}

CO_TEST(RequestGateTest, TheContentIsShownOfWhatMayChangeThingsOnly) {
  GateBench bench(ctx);
  RequestGate gate(bench.options, bench.PlaceOf(kCaller));
  gate.Follow(bench.page(), kRequestsAndSockets);
  bench.Pause({.url = "http://a.test/", .type = "XHR"});
  EXPECT_TRUE(bench.rule->asked.back().headers.empty());
  bench.Pause({.url = "http://a.test/", .type = "XHR", .method = "POST"});
  const RequestFacts& facts = bench.rule->asked.back();
  EXPECT_EQ(facts.resource_type, "xhr");
  EXPECT_EQ(facts.HeaderValue("referer"), "https://from.test/page");
  EXPECT_EQ(facts.body, "a=1&");
  EXPECT_EQ(facts.body_gaps, (std::vector<std::size_t>{3}));
  EXPECT_FALSE(facts.is_body_whole);
  co_return;
}

CO_TEST(RequestGateTest, ARequestThatIsToBeHeldStaysWhereItIs) {
  GateBench bench(ctx);
  RequestGate gate(bench.options, bench.PlaceOf(kCaller));
  gate.Follow(bench.page(), kRequestsAndSockets);
  bench.Pause({.url = "http://risky.test/", .type = "Document"});
  EXPECT_EQ(bench.peer.CountOf("Fetch.continueRequest"), 0U);
  EXPECT_EQ(bench.peer.CountOf("Fetch.failRequest"), 0U);
  const auto held = bench.holds.all().at(0);
  EXPECT_EQ(held->facts.headers.size(), 1U) << "also of a request whose headers nobody asked for";
  EXPECT_EQ(held->verdict.rule, "ask");
  EXPECT_TRUE(bench.holds.Refuse(held->id, "approval_denied"));
  EXPECT_EQ(bench.FailedWith(), "Aborted");
  EXPECT_EQ(gate.Since(0).at(0).verdict.reason, "approval_denied");
  EXPECT_EQ(gate.Since(0).at(0).verdict.rule, "ask");
  co_return;
}

CO_TEST(RequestGateTest, WhatCannotBeHeldIsRefused) {
  GateBench bench(ctx);
  RequestGate gate(bench.options, bench.PlaceOf(kCaller));
  gate.Follow(bench.page(), kRequestsAndSockets);
  bench.rule->may_hold = false;
  bench.Pause({.url = "http://risky.test/", .type = "Document"});
  EXPECT_EQ(bench.FailedWith(), "Aborted");
  bench.peer.Event("page", "Network.webSocketCreated",
                   R"({"requestId": "w1", "url": "wss://risky.test/"})");
  for (const RefusedRequest& refused : gate.Since(0)) {
    EXPECT_EQ(refused.verdict.reason, RequestHolds::kCannotHold);
  }
  EXPECT_EQ(gate.last_seq(), 2U);
  EXPECT_TRUE(gate.MayOpen("http://risky.test/")) << "it will be held on its way";
  EXPECT_FALSE(gate.MayOpen("data:text/html,risky"));
  co_return;
}

CO_TEST(RequestGateTest, AGateThatGoesTakesItsHoldsAlong) {
  GateBench bench(ctx);
  {
    RequestGate gate(bench.options, bench.PlaceOf(kCaller));
    gate.Follow(bench.page(), kRequestsAndSockets);
    bench.Pause({.url = "http://risky.test/", .type = "XHR"});
    EXPECT_EQ(bench.holds.all().size(), 1U);
  }
  EXPECT_TRUE(bench.holds.all().empty());
  EXPECT_EQ(bench.FailedWith(), "BlockedByClient");
  co_return;
}

}  // namespace
}  // namespace falconer::browser
