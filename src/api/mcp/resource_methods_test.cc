#include "api/mcp/resource_methods.h"

#include "tests/support/co_test.h"
#include "tests/support/mcp_offer_bench.h"

namespace falconer::api {
namespace {

using test::FailureIn;
using test::McpOfferBench;

// Two pages, one text and one picture.
class Shelf : public ResourceSource {
 public:
  Task<Result<ResourcePage>> List(CallContext, std::string from) override {
    if (from.empty()) {
      const ResourceInfo first{.uri = "shelf://a", .name = "a", .mime = "text/plain", .bytes = 2};
      co_return ResourcePage{.resources = {first}, .next = "b"};
    }
    if (from != "b") co_return Fail(ErrorCode::kInvalidArgument, "cursor: unknown");
    co_return ResourcePage{.resources = {{.uri = "shelf://b", .name = "b", .title = "B"}}};
  }
  std::vector<ResourceTemplate> Templates() const override {
    return {{.uri_template = "shelf://{id}", .name = "each", .description = "One of them."}};
  }
  Task<Result<ResourceReading>> Read(CallContext, std::string uri) override {
    if (uri == "shelf://a") {
      co_return ResourceReading{.contents = {{.uri = uri, .mime = "text/plain", .text = "hi"}},
                                .ttl = std::chrono::seconds(5)};
    }
    if (uri == "shelf://b") {
      co_return ResourceReading{
          .contents = {{.uri = uri, .mime = "image/png", .text = std::nullopt, .blob = "aGk="}}};
    }
    if (uri == "shelf://wet") co_return Fail(ErrorCode::kIoError, "the shelf is wet");
    co_return Fail(ErrorCode::kNotFound, "not on the shelf");
  }
};

McpOffer WithShelf() {
  McpOffer offer(ToolCatalog({}));
  offer.resources = std::make_shared<Shelf>();
  return offer;
}

CO_TEST(ResourceMethodsTest, ListsPageByPage) {
  McpOfferBench bench(ctx, WithShelf());

  const auto first = co_await bench.Ask("resources/list");
  const auto second = co_await bench.Ask("resources/list", {{"cursor", "b"}});

  EXPECT_EQ(json::serialize(first.at("result")),
            R"({"resources":[{"uri":"shelf://a","name":"a","mimeType":"text/plain","size":2}],)"
            R"("nextCursor":"b"})");
  EXPECT_EQ(json::serialize(second.at("result")),
            R"({"resources":[{"uri":"shelf://b","name":"b","title":"B"}]})");
  EXPECT_EQ(FailureIn(co_await bench.Ask("resources/list", {{"cursor", "x"}})), kRpcInvalidParams);
  EXPECT_EQ(FailureIn(co_await bench.Ask("resources/list", {{"cursor", 7}})), kRpcInvalidParams);
}

CO_TEST(ResourceMethodsTest, ListsTemplates) {
  McpOfferBench bench(ctx, WithShelf());

  const auto listed = co_await bench.Ask("resources/templates/list");

  EXPECT_EQ(json::serialize(listed.at("result")),
            R"({"resourceTemplates":[{"uriTemplate":"shelf://{id}","name":"each",)"
            R"("description":"One of them."}]})");
  EXPECT_EQ(FailureIn(co_await bench.Ask("resources/templates/list", {{"cursor", "x"}})),
            kRpcInvalidParams);
}

CO_TEST(ResourceMethodsTest, ReadsTextsAndBytes) {
  McpOfferBench bench(ctx, WithShelf());

  const auto text = co_await bench.Ask("resources/read", {{"uri", "shelf://a"}});
  const auto bytes = co_await bench.Ask("resources/read", {{"uri", "shelf://b"}});

  EXPECT_EQ(json::serialize(text.at("result")),
            R"({"contents":[{"uri":"shelf://a","mimeType":"text/plain","text":"hi"}]})");
  EXPECT_EQ(json::serialize(bytes.at("result")),
            R"({"contents":[{"uri":"shelf://b","mimeType":"image/png","blob":"aGk="}]})");
}

CO_TEST(ResourceMethodsTest, SaysToTheNewRevisionHowLongAnAnswerHolds) {
  McpOfferBench bench(ctx, WithShelf());

  const auto read = co_await bench.AskModern("resources/read", {{"uri", "shelf://a"}});
  EXPECT_EQ(read.at("result").at("ttlMs"), 5000);
  EXPECT_EQ(read.at("result").at("cacheScope"), "private");
  EXPECT_EQ((co_await bench.AskModern("resources/list")).at("result").at("ttlMs"), 0);
  const auto templates = co_await bench.AskModern("resources/templates/list");
  EXPECT_GT(templates.at("result").at("ttlMs").as_int64(), 0);
}

CO_TEST(ResourceMethodsTest, WhatIsNotThereHasTheCodeOfTheRevision) {
  McpOfferBench bench(ctx, WithShelf());

  const auto legacy = co_await bench.Ask("resources/read", {{"uri", "shelf://z"}});
  const auto modern = co_await bench.AskModern("resources/read", {{"uri", "shelf://z"}});

  EXPECT_EQ(FailureIn(legacy), -32002);
  EXPECT_EQ(FailureIn(modern), kRpcInvalidParams);
  EXPECT_EQ(modern.at("error").at("data").at("uri"), "shelf://z");
}

CO_TEST(ResourceMethodsTest, OtherFailuresKeepTheirName) {
  McpOfferBench bench(ctx, WithShelf());

  const auto wet = co_await bench.Ask("resources/read", {{"uri", "shelf://wet"}});

  EXPECT_EQ(wet.at("error").at("data").at("code"), "IO_ERROR");
  EXPECT_EQ(FailureIn(co_await bench.Ask("resources/read", {{"uri", 7}})), kRpcInvalidParams);
}

CO_TEST(ResourceMethodsTest, AServerWithoutResourcesDoesNotSpeakOfThem) {
  McpOfferBench with(ctx, WithShelf());
  McpOfferBench without(ctx, ToolCatalog({}));

  const auto has = co_await with.AskModern("server/discover");
  const auto lacks = co_await without.AskModern("server/discover");

  EXPECT_TRUE(has.at("result").at("capabilities").as_object().contains("resources"));
  EXPECT_FALSE(lacks.at("result").at("capabilities").as_object().contains("resources"));
  for (const std::string method : {"resources/list", "resources/read", "resources/subscribe"})
    EXPECT_EQ(FailureIn(co_await without.Ask(method)), kRpcMethodNotFound) << method;
}

}  // namespace
}  // namespace falconer::api
