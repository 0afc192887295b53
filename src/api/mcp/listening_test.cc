#include "api/mcp/listening.h"

#include "tests/support/co_test.h"
#include "tests/support/mcp_offer_bench.h"

namespace falconer::api {
namespace {

using test::FailureIn;
using test::McpOfferBench;
using test::Settle;

constexpr std::string_view kSubscription = "io.modelcontextprotocol/subscriptionId";

class NoResources : public ResourceSource {
 public:
  Task<Result<ResourcePage>> List(CallContext, std::string) override { co_return ResourcePage{}; }
  Task<Result<ResourceReading>> Read(CallContext, std::string) override {
    co_return Fail(ErrorCode::kNotFound, "there is nothing");
  }
};

struct ListenBench {
  explicit ListenBench(const CallContext& ctx,
                       OfferChanges told = {OfferChange::kTools, OfferChange::kPrompts,
                                            OfferChange::kResource})
      : feed(std::make_shared<ChangeFeed>(told)), bench(ctx, Offer()) {}

  McpOffer Offer() const {
    McpOffer offer(ToolCatalog({}));
    offer.resources = std::make_shared<NoResources>();
    offer.changes = feed;
    return offer;
  }
  // The methods of what was told, in order.
  std::vector<std::string> Told() const {
    std::vector<std::string> methods;
    for (const json::object& line : bench.lines) methods.push_back(TextAt(line, "method"));
    return methods;
  }

  std::shared_ptr<ChangeFeed> feed;
  McpOfferBench bench;
};

CO_TEST(ListeningTest, AcknowledgesFirstWhatItWillTell) {
  ListenBench listen(ctx);
  listen.bench.SendModern("subscriptions/listen",
                          {{"notifications",
                            {{"toolsListChanged", true},
                             {"promptsListChanged", false},
                             {"resourcesListChanged", true},
                             {"resourceSubscriptions", json::array{"shelf://a"}}}}},
                          5);
  co_await Settle();

  EXPECT_EQ(listen.bench.lines.size(), 1U);
  const json::object& first = listen.bench.lines.front();
  EXPECT_EQ(TextAt(first, "method"), "notifications/subscriptions/acknowledged");
  EXPECT_EQ(json::serialize(first.at("params").at("notifications")),
            R"({"toolsListChanged":true,"resourceSubscriptions":["shelf://a"]})")
      << "only what was asked for and is ever told";
  EXPECT_EQ(first.at("params").at("_meta").at(kSubscription), 5);
  co_await listen.bench.Stop();
}

CO_TEST(ListeningTest, TellsOnlyWhatWasAskedFor) {
  ListenBench listen(ctx);
  listen.bench.SendModern(
      "subscriptions/listen",
      {{"notifications",
        {{"toolsListChanged", true}, {"resourceSubscriptions", json::array{"shelf://a"}}}}});
  co_await Settle();
  listen.bench.lines.clear();

  listen.feed->Tell(OfferChange::kPrompts);
  listen.feed->Tell(OfferChange::kResource, "shelf://b");
  listen.feed->Tell(OfferChange::kTools);
  listen.feed->Tell(OfferChange::kResource, "shelf://a");

  EXPECT_EQ(listen.Told(), (std::vector<std::string>{"notifications/tools/list_changed",
                                                     "notifications/resources/updated"}));
  for (const json::object& line : listen.bench.lines)
    EXPECT_EQ(line.at("params").at("_meta").at(kSubscription), 1);
  EXPECT_EQ(listen.bench.lines.back().at("params").at("uri"), "shelf://a");
  co_await listen.bench.Stop();
}

CO_TEST(ListeningTest, IsAnsweredWhenTheServerEnds) {
  ListenBench listen(ctx);
  listen.bench.SendModern("subscriptions/listen", {{"notifications", json::object()}}, 9);
  co_await Settle();
  co_await listen.bench.Stop();

  const json::object& last = listen.bench.lines.back();
  EXPECT_EQ(last.at("id"), 9);
  EXPECT_EQ(last.at("result").at("resultType"), "complete");
  EXPECT_EQ(last.at("result").at("_meta").at(kSubscription), 9);
  listen.feed->Tell(OfferChange::kTools);
  EXPECT_EQ(&listen.bench.lines.back(), &last) << "nobody listens any more";
}

CO_TEST(ListeningTest, EndsWhenItsClientCancels) {
  ListenBench listen(ctx);
  listen.bench.SendModern("subscriptions/listen",
                          {{"notifications", {{"toolsListChanged", true}}}});
  co_await Settle();
  listen.bench.lines.clear();

  listen.bench.server.CancelCall("", 1, Error(ErrorCode::kCancelled, "gone"));
  co_await Settle();
  listen.feed->Tell(OfferChange::kTools);

  EXPECT_EQ(listen.bench.server.running(), 0U);
  EXPECT_TRUE(listen.bench.lines.empty());
}

CO_TEST(ListeningTest, RefusesFiltersThatAreNone) {
  ListenBench listen(ctx);

  json::array many;
  for (int i = 0; i < 1025; ++i) many.emplace_back("shelf://" + std::to_string(i));
  const json::object params[] = {
      {},
      {{"notifications", 7}},
      {{"notifications", {{"resourceSubscriptions", "shelf://a"}}}},
      {{"notifications", {{"resourceSubscriptions", json::array{7}}}}},
      {{"notifications", {{"resourceSubscriptions", many}}}},
  };
  for (const json::object& each : params) {
    const auto refused = co_await listen.bench.AskModern("subscriptions/listen", each);
    EXPECT_EQ(FailureIn(refused), kRpcInvalidParams) << json::serialize(each).substr(0, 80);
  }
  const auto legacy = co_await listen.bench.Ask("subscriptions/listen", params[0]);
  EXPECT_EQ(FailureIn(legacy), kRpcMethodNotFound);
}

CO_TEST(ListeningTest, SaysBeforehandWhatIsTold) {
  ListenBench listen(ctx);
  McpOfferBench silent(ctx, ToolCatalog({}));

  const auto said = co_await listen.bench.AskModern("server/discover");

  EXPECT_EQ(json::serialize(said.at("result").at("capabilities")),
            R"({"tools":{"listChanged":true},"resources":{"subscribe":true}})");
  const json::object filter{{"notifications", json::object()}};
  EXPECT_EQ(FailureIn(co_await silent.AskModern("subscriptions/listen", filter)),
            kRpcMethodNotFound);
}

CO_TEST(ListeningTest, OlderClientsAreToldOfListsAndOfWhatTheySubscribedTo) {
  ListenBench listen(ctx);
  listen.feed->Tell(OfferChange::kTools);
  EXPECT_TRUE(listen.bench.lines.empty()) << "not before initialize";
  co_await listen.bench.Initialize();

  co_await listen.bench.Ask("resources/subscribe", {{"uri", "shelf://a"}});
  listen.bench.lines.clear();
  listen.feed->Tell(OfferChange::kTools);
  listen.feed->Tell(OfferChange::kResource, "shelf://a");
  listen.feed->Tell(OfferChange::kResource, "shelf://b");
  EXPECT_EQ(listen.Told(), (std::vector<std::string>{"notifications/tools/list_changed",
                                                     "notifications/resources/updated"}));

  co_await listen.bench.Ask("resources/unsubscribe", {{"uri", "shelf://a"}});
  listen.bench.lines.clear();
  listen.feed->Tell(OfferChange::kResource, "shelf://a");
  EXPECT_TRUE(listen.bench.lines.empty());
  EXPECT_EQ(FailureIn(co_await listen.bench.Ask("resources/subscribe")), kRpcInvalidParams);
  EXPECT_EQ(FailureIn(co_await listen.bench.Ask("resources/unsubscribe")), kRpcInvalidParams);
}

CO_TEST(ListeningTest, AClientCanSubscribeToSoManyAndNotMore) {
  ListenBench listen(ctx);
  co_await listen.bench.Initialize();
  for (int i = 0; i < 1024; ++i)
    listen.bench.Send("resources/subscribe", {{"uri", "shelf://" + std::to_string(i)}});

  EXPECT_EQ(FailureIn(co_await listen.bench.Ask("resources/subscribe", {{"uri", "shelf://0"}})), 0);
  EXPECT_EQ(FailureIn(co_await listen.bench.Ask("resources/subscribe", {{"uri", "shelf://more"}})),
            kRpcInvalidParams);
}

CO_TEST(ListeningTest, SubscribingNeedsAFeedThatTellsOfResources) {
  ListenBench listen(ctx, {OfferChange::kTools});

  EXPECT_EQ(FailureIn(co_await listen.bench.Ask("resources/subscribe", {{"uri", "a"}})),
            kRpcMethodNotFound);
}

}  // namespace
}  // namespace falconer::api
