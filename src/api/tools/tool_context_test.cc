// Tools over a whole runtime without a browser: their time, and their steps on record.
#include "api/tools/tool_context.h"

#include "api/tools/catalog.h"
#include "api/tools/catalog_box.h"
#include "ledger/archive.h"
#include "ledger/reader.h"
#include "tests/support/co_test.h"
#include "tests/support/sessions_bench.h"

namespace falconer::api {
namespace {

using namespace std::chrono_literals;

class BenchHost final : public ToolHost {
 public:
  explicit BenchHost(test::SessionsBench& bench) : bench_(bench) {}

  Result<ToolRooms> Rooms() override {
    return ToolRooms{.runtime = &bench_.runtime, .caller = bench_.control.Caller()};
  }
  Task<AnswerBudget> Budget() override { co_return AnswerBudget(); }

 private:
  test::SessionsBench& bench_;
};

struct ToolsOnRecord {
  ToolsOnRecord(const CallContext& ctx, ToolCaller caller)
      : bench(ctx), host(bench), context(host, "9", std::move(caller)) {}

  // What the chain has of the run.
  std::vector<json::object> Steps() const {
    std::vector<json::object> steps;
    const auto paths = ledger::ChainPaths::Of(bench.data.path(), TenantId("acme"));
    auto reader = ledger::ChainReader::Open(paths.folder);
    if (!reader) return steps;
    const auto page =
        reader->Query({.run = context.run(), .kind = ledger::RecordKind::kToolStep}, 1, 100);
    for (const ledger::StoredRecord& record : page->records)
      steps.push_back(ParseJsonObject(record.view().fields.payload).value());
    return steps;
  }

  test::SessionsBench bench;
  BenchHost host;
  ToolContext context;
};

ToolCall InSession(std::string_view session) {
  return {.arguments = {{"session", session}}, .report = {}};
}

CO_TEST(ToolContextTest, TimeStandsStillWhilePeopleDecide) {
  ToolsOnRecord tools(ctx, {});
  const auto page = co_await tools.bench.Open("w");
  const auto session = tools.bench.runtime.SessionAside(test::SessionsBench::Key("w"));

  const CallContext own = tools.context.TimeFor(tools.bench.ctx, InSession("w"), 40s);
  const CallContext other = tools.context.TimeFor(tools.bench.ctx, InSession("other"), 40s);
  {
    const StandingStill waits(session->holds->stops());
    tools.bench.clock.Advance(10min);
    EXPECT_TRUE(own.StillWanted("it"));
    EXPECT_FALSE(other.StillWanted("it")) << "people decide about another session";
  }
  tools.bench.clock.Advance(39s);
  EXPECT_TRUE(own.StillWanted("it"));
  tools.bench.clock.Advance(1s);
  EXPECT_FALSE(own.StillWanted("it"));
  co_await tools.bench.Finish();
}

CO_TEST(ToolContextTest, EveryCallIsOnRecordUnderItsRun) {
  ToolsOnRecord tools(ctx, {.run = "run-9", .mode = agent::CallMode::kInternal});
  const ToolCatalog catalog = MakeCatalog(tools.context, ParseGroups("all").value());
  CatalogBox box(catalog);

  const auto refused = co_await box.Call(
      tools.bench.ctx,
      {.id = "1", .name = "browser_navigate", .arguments = {{"url", "http://10.0.0.1/hunter2"}}});
  const auto wrong = co_await box.Call(
      tools.bench.ctx, {.id = "2", .name = "browser_navigate", .arguments = {{"uri", "x"}}});

  EXPECT_EQ(refused.error_code(), "policy_denied") << refused.text;
  EXPECT_EQ(wrong.error_code(), "validation_error");
  const bool are_there = co_await tools.bench.Becomes([&] { return tools.Steps().size() == 2; });
  EXPECT_TRUE(are_there) << "nobody waits for records, but they come";
  const auto steps = tools.Steps();
  for (const json::object& payload : steps) {
    EXPECT_EQ(payload.at("run"), "run-9");
    EXPECT_EQ(payload.at("step").at("mode"), "internal");
    EXPECT_EQ(payload.at("step").at("tool_name"), "browser_navigate");
    EXPECT_FALSE(json::serialize(payload).contains("hunter2")) << "arguments are not on record";
  }
  if (steps.size() == 2) {
    EXPECT_EQ(steps[0].at("step").at("policy_flags"), (json::array{"SECURITY_DOMAIN_BLOCK"}));
    EXPECT_EQ(steps[0].at("step").at("error_code"), "policy_denied");
    EXPECT_EQ(steps[1].at("step").at("step_id"), "s2");
  }
  co_await tools.bench.Finish();
}

ActionWish SameWish() {
  return {.session = "shop", .spec = {{"type", "click"}, {"target", "d1e1"}}};
}

// Else a run that is taken up would be answered with what it did before, and nothing would be done.
CO_TEST(ToolContextTest, WhatARunDoesAfterItWasTakenUpIsNewWork) {
  ToolsOnRecord before(ctx, {.run = "run-9", .mode = agent::CallMode::kInternal});
  ToolContext again(before.host, "9",
                    {.run = "run-9", .mode = agent::CallMode::kInternal, .times_resumed = 1});

  const json::object first = before.context.ContractOf(SameWish());
  const json::object second = again.ContractOf(SameWish());

  EXPECT_EQ(first.at("run_id"), second.at("run_id"));
  EXPECT_NE(first.at("idempotency").at("key"), second.at("idempotency").at("key"));
  const auto step = again.dispatcher()->Unknown({.id = "", .name = "x", .arguments = {}}, {});
  EXPECT_EQ(step.step_id, "r1.s1");
  co_await before.bench.Finish();
}

CO_TEST(ToolContextTest, AModelDoesNotSayInWhichWorkflowItsContractsAre) {
  ToolsOnRecord outside(ctx, {});
  ToolContext inside(outside.host, "9", {.run = "run-9", .mode = agent::CallMode::kInternal});
  json::object one{{"workflow_id", "somebody-elses"}};
  json::object other = one;

  outside.context.Complete(one, "shop");
  inside.Complete(other, "shop");

  EXPECT_EQ(one.at("workflow_id"), "somebody-elses") << "an agent outside says so itself";
  EXPECT_EQ(other.at("workflow_id"), "shop");
  co_await outside.bench.Finish();
}

}  // namespace
}  // namespace falconer::api
