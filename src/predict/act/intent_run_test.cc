#include "predict/act/intent_run.h"

#include "tests/support/co_test.h"
#include "tests/support/predict_fakes.h"

namespace falconer::predict {
namespace {

test::FakeElement Thing(std::string id, std::string role, std::string name) {
  return {.selectors = {"id=" + id},
          .fingerprint = {.role = std::move(role), .name = std::move(name), .tag = "x"}};
}

// A page with a few things, and somebody who says what to do.
struct IntentBench {
  IntentBench() {
    page.pages[page.url] = {Thing("cart", "link", "Cart 0"), Thing("add", "button", "Add to cart"),
                            Thing("note", "textbox", "Note"),
                            Thing("how", "combobox", "How to send it")};
  }
  Task<IntentReport> Say(CallContext ctx, std::string instruction, RunMode mode = RunMode::kAct,
                         std::string environment = "") {
    IntentCache cache(store, ctx.clock());
    IntentRun run({.page = page, .cache = cache, .numbers = numbers},
                  {.tenant = TenantId("acme"),
                   .session = WorkflowId("w1"),
                   .run = RunId("intent-" + std::to_string(++runs_)),
                   .instruction = std::move(instruction),
                   .environment = std::move(environment),
                   .mode = mode});
    auto report = co_await run.Go(ctx);
    EXPECT_TRUE(report) << (report ? "" : Describe(report.error()));
    co_return report ? *std::move(report) : IntentReport();
  }

  test::FakePage page;
  test::FakeIntents store;
  ActNumbers numbers;

 private:
  int runs_ = 0;
};

std::string Told(const IntentReport& report) {
  return json::serialize(report.ToJson());
}

CO_TEST(IntentRunTest, FindsTheElementAndKnowsItTheNextTime) {
  IntentBench bench;

  const IntentReport first = co_await bench.Say(ctx, "open the cart");
  const IntentReport again = co_await bench.Say(ctx, "open the cart");

  EXPECT_EQ(first.mode, IntentMode::kPerception) << Told(first);
  EXPECT_TRUE(first.success && first.is_verified) << Told(first);
  EXPECT_EQ(again.mode, IntentMode::kCache) << Told(again);
  EXPECT_TRUE(again.success);
  EXPECT_EQ(bench.numbers.intents, 2);
  EXPECT_EQ(bench.numbers.intents_from_cache, 1);
}

CO_TEST(IntentRunTest, WhatWasDoneIsToldAlsoWhereItCannotBeKept) {
  IntentBench bench;
  bench.store.refuses = true;

  const IntentReport report = co_await bench.Say(ctx, "open the cart");

  EXPECT_TRUE(report.success && report.is_verified) << Told(report);
  EXPECT_TRUE(bench.store.intents.empty());
}

CO_TEST(IntentRunTest, WhatIsTypedIsInNoDocument) {
  IntentBench bench;

  co_await bench.Say(ctx, "type \"hunter2 secret\" into the note");
  const IntentReport other = co_await bench.Say(ctx, "type \"another text\" into the note");

  EXPECT_EQ(other.mode, IntentMode::kCache) << Told(other);
  EXPECT_EQ(bench.page.sent.back().action_spec.text->value, "another text");
  EXPECT_EQ(bench.store.intents.size(), 1U);
  for (const auto& [key, document] : bench.store.intents)
    EXPECT_FALSE(document.document.contains("hunter2")) << document.document;
}

CO_TEST(IntentRunTest, AChoiceIsMadeByItsLabel) {
  IntentBench bench;

  const IntentReport report = co_await bench.Say(ctx, "select \"By bike\" from how to send it");

  EXPECT_TRUE(report.success) << Told(report);
  EXPECT_EQ(bench.page.sent.back().action_spec.select_values.at(0).label, "By bike");
}

CO_TEST(IntentRunTest, WhereItIsNotClearItOnlyTellsWhatThereIs) {
  IntentBench bench;
  bench.page.pages[bench.page.url].push_back(Thing("add2", "button", "Add to cart"));

  const IntentReport report = co_await bench.Say(ctx, "add to cart");

  EXPECT_EQ(report.mode, IntentMode::kExploration) << Told(report);
  EXPECT_FALSE(report.success);
  EXPECT_EQ(report.error->code(), ErrorCode::kNoCandidates);
  EXPECT_GE(report.candidates.size(), 2U);
  EXPECT_EQ(report.candidates.at(0).at("method"), "click");
  EXPECT_TRUE(bench.page.sent.empty());
}

CO_TEST(IntentRunTest, NothingIsKeptThatHadNoEffect) {
  IntentBench bench;
  bench.page.idle = {"click link \"Cart 0\""};

  const IntentReport report = co_await bench.Say(ctx, "open the cart");

  EXPECT_FALSE(report.is_verified) << Told(report);
  EXPECT_TRUE(bench.store.intents.empty());
}

CO_TEST(IntentRunTest, APageThatHasBecomeAnotherIsLookedAtAgain) {
  IntentBench bench;
  co_await bench.Say(ctx, "open the cart");
  bench.page.pages[bench.page.url].push_back(Thing("new", "button", "Subscribe"));

  const IntentReport report = co_await bench.Say(ctx, "open the cart");

  EXPECT_EQ(report.mode, IntentMode::kPerception) << Told(report);
  EXPECT_TRUE(report.success);
}

CO_TEST(IntentRunTest, OtherNumbersOnThePageAreTheSamePage) {
  IntentBench bench;
  co_await bench.Say(ctx, "open the cart");
  bench.page.pages[bench.page.url][0].fingerprint.name = "Cart 12";

  EXPECT_EQ((co_await bench.Say(ctx, "open the cart")).mode, IntentMode::kCache);
}

CO_TEST(IntentRunTest, ASelectorThatIsGoneIsForgotten) {
  IntentBench bench;
  co_await bench.Say(ctx, "open the cart");
  bench.page.pages[bench.page.url][0].selectors = {"id=basket"};

  const IntentReport report = co_await bench.Say(ctx, "open the cart");
  const IntentReport again = co_await bench.Say(ctx, "open the cart");

  EXPECT_EQ(report.mode, IntentMode::kPerception) << Told(report);
  EXPECT_EQ(again.mode, IntentMode::kCache) << Told(again);
}

CO_TEST(IntentRunTest, WhatFailsIsForgottenAndNotTriedAgain) {
  IntentBench bench;
  co_await bench.Say(ctx, "open the cart");
  bench.page.failures.emplace("click link \"Cart 0\"",
                              Error(ErrorCode::kPostconditionFailed, "nothing came of it"));
  const std::size_t before = bench.page.sent.size();

  const IntentReport report = co_await bench.Say(ctx, "open the cart");

  EXPECT_FALSE(report.success);
  EXPECT_EQ(report.mode, IntentMode::kCache);
  EXPECT_EQ(bench.page.sent.size(), before + 1) << "it may have had an effect";
  EXPECT_TRUE(bench.store.intents.empty());
}

CO_TEST(IntentRunTest, OnlyWhatWasNotTouchedIsFollowedByTheNext) {
  IntentBench bench;
  // It says the same, and looked as if it could not be used.
  bench.page.pages[bench.page.url].push_back(Thing("cart2", "link", "The cart"));
  bench.page.pages[bench.page.url].back().fingerprint.is_enabled = false;
  bench.page.failures.emplace("click link \"Cart 0\"",
                              Error(ErrorCode::kElementObscured, "behind"));

  const IntentReport report = co_await bench.Say(ctx, "open the cart");

  EXPECT_TRUE(report.success) << Told(report);
  EXPECT_EQ(report.tries, 2);
  EXPECT_EQ(report.target.at("name"), "The cart");
}

CO_TEST(IntentRunTest, WhatSaysSomethingElseIsNotTriedInstead) {
  IntentBench bench;
  bench.page.failures.emplace("click link \"Cart 0\"",
                              Error(ErrorCode::kElementObscured, "behind"));

  const IntentReport report = co_await bench.Say(ctx, "open the cart");

  EXPECT_FALSE(report.success);
  EXPECT_EQ(report.error->code(), ErrorCode::kElementObscured);
  EXPECT_EQ(report.tries, 1) << "nobody asked for something to be added to the cart";
}

CO_TEST(IntentRunTest, EnvironmentsKnowNothingOfEachOther) {
  IntentBench bench;
  co_await bench.Say(ctx, "open the cart", RunMode::kAct, "staging");

  EXPECT_EQ((co_await bench.Say(ctx, "open the cart", RunMode::kAct, "live")).mode,
            IntentMode::kPerception);
}

CO_TEST(IntentRunTest, ADryRunDoesNothing) {
  IntentBench bench;

  const IntentReport report = co_await bench.Say(ctx, "open the cart", RunMode::kDryRun);

  EXPECT_EQ(report.target.at("name"), "Cart 0") << Told(report);
  EXPECT_TRUE(bench.page.sent.empty());
  EXPECT_TRUE(bench.store.intents.empty());
}

CO_TEST(IntentRunTest, AnAddressIsGoneToWithoutASearch) {
  IntentBench bench;

  const IntentReport report = co_await bench.Say(ctx, "go to https://shop.example/cart");

  EXPECT_TRUE(report.success) << Told(report);
  EXPECT_EQ(bench.page.sent.back().action_spec.url, "https://shop.example/cart");
  EXPECT_TRUE(bench.store.intents.empty());
}

CO_TEST(IntentRunTest, ADocumentThatCannotBeReadIsDropped) {
  IntentBench bench;
  co_await bench.Say(ctx, "open the cart");
  bench.store.intents.begin()->second.document = "{\"version\": 99}";

  const IntentReport report = co_await bench.Say(ctx, "open the cart");

  EXPECT_EQ(report.mode, IntentMode::kPerception) << Told(report);
}

}  // namespace
}  // namespace falconer::predict
