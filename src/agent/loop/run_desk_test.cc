#include "agent/loop/run_desk.h"

#include <gtest/gtest.h>

#include "tests/support/co_test.h"
#include "tests/support/in_background.h"
#include "tests/support/run_bench.h"
#include "tests/support/settle.h"

namespace falconer::agent {
namespace {

using test::InBackground;
using test::Settle;

// Kits whose model says what each run's test wrote down.
class DeskMaker final : public RunMaker {
 public:
  Result<std::unique_ptr<RunKit>> Make(const RunOrder& order) override {
    auto kit = std::make_unique<RunKit>();
    kit->provider = &model;
    auto box = std::make_unique<test::ScriptedBox>();
    box->On("browser_click",
            [](const CallContext& call, const ToolCall&) { return test::ScriptedBox::Hang(call); });
    kit->tools = std::move(box);
    kit->log = std::make_unique<test::MemoryRunLog>(records);
    kit->world = std::make_unique<test::ScriptedWorld>(people);
    sessions.push_back(order.config.session);
    orders.push_back(order);
    return kit;
  }
  Result<std::unique_ptr<RunLog>> Log(const engine::Caller&) override {
    return std::make_unique<test::MemoryRunLog>(records);
  }

  test::ScriptedProvider model{"near"};
  std::shared_ptr<test::KeptRecords> records = std::make_shared<test::KeptRecords>();
  std::shared_ptr<test::RunPeople> people = std::make_shared<test::RunPeople>();
  std::vector<std::string> sessions;
  std::vector<RunOrder> orders;
};

RunConfig DeskMost() {
  return {.allowed_tools = {"browser_snapshot", "browser_click"}};
}

const json::value kTea = json::object{{"task", "Buy tea."}};
const engine::Caller kSomebody = {.tenant = TenantId("acme"), .agent = "a", .token = ""};

ToolCall HangingCall() {
  return {.id = "c1", .name = "browser_click", .arguments = {{"target", "x"}}};
}

// From the wish to the result.
Task<Result<json::object>> RunWhole(RunDesk* desk, CallContext ctx, json::value wish = kTea,
                                    RunDesk::News news = {}) {
  CO_TRY_ASSIGN(const RunId run, desk->Begin(kSomebody, wish));
  co_return co_await desk->Follow(std::move(ctx), run, std::move(news));
}

CO_TEST(RunDeskTest, SaysThatTheAgentIsOff) {
  RunDesk desk(ctx.executor(), ctx.clock(), nullptr, DeskMost());

  const auto begun = desk.Begin(kSomebody, kTea);
  const auto ran = co_await RunWhole(&desk, ctx);

  EXPECT_EQ(begun.error().code(), ErrorCode::kToolUnavailable);
  EXPECT_EQ(TraitsOf(begun.error().code()).http_status, 503);
  EXPECT_TRUE(begun.error().message().contains("agent.internal.enabled"));
  EXPECT_EQ(ran.error().code(), ErrorCode::kToolUnavailable);
}

CO_TEST(RunDeskTest, RunsATaskToItsEnd) {
  DeskMaker maker;
  RunDesk desk(ctx.executor(), ctx.clock(), &maker, DeskMost());
  maker.model.ThenCall({{.id = "c1", .name = "browser_snapshot", .arguments = {}}});
  maker.model.ThenSay("Done.");
  std::vector<std::string> news;

  const auto result = co_await RunWhole(&desk, ctx, kTea, [&](json::object one) {
    news.push_back(TextAt(one, "event"));
    EXPECT_FALSE(one.contains("arguments")) << "news are kept, and what is typed may be secret";
  });

  EXPECT_TRUE(result);
  if (!result) co_return;
  EXPECT_EQ(TextAt(*result, "stop_reason"), "completed");
  EXPECT_EQ(std::ranges::count(news, "tool_ended"), 1);
  EXPECT_EQ(news.back(), "stopped");
  EXPECT_TRUE(maker.sessions.at(0).starts_with("run-")) << "a session of its own";
  const auto status = co_await desk.Status(ctx, kSomebody, RunId(TextAt(*result, "run_id")));
  EXPECT_EQ(TextAt(*status, "status"), "complete");
}

CO_TEST(RunDeskTest, RefusesAWishThatIsNone) {
  DeskMaker maker;
  RunDesk desk(ctx.executor(), ctx.clock(), &maker, DeskMost());

  const auto begun = desk.Begin(kSomebody, json::object{{"task", "x"}, {"max_steps", 13}});

  EXPECT_EQ(begun.error().code(), ErrorCode::kInvalidArgument);
  co_return;
}

CO_TEST(RunDeskTest, CancelsWithWhoAsked) {
  DeskMaker maker;
  RunDesk desk(ctx.executor(), ctx.clock(), &maker, DeskMost());
  maker.model.ThenCall({HangingCall()});
  CancelSource gone;
  InBackground run(ctx.executor(), RunWhole(&desk, ctx.WithCancel(gone.token())));
  co_await Settle();
  gone.Cancel({ErrorCode::kCancelled, "the client has gone"});

  const auto result = co_await run.Join();

  EXPECT_EQ(TextAt(*result, "stop_reason"), "cancelled");
}

// "running EXECUTE_TOOL".
Task<std::string> StatusOf(RunDesk* desk, CallContext ctx, RunId run) {
  const auto told = co_await desk->Status(ctx, kSomebody, run);
  co_return told ? TextAt(*told, "status") + " " + TextAt(*told, "state") : "none";
}

CO_TEST(RunDeskTest, GovernsARun) {
  DeskMaker maker;
  RunDesk desk(ctx.executor(), ctx.clock(), &maker, DeskMost(), {.at_once = 1});
  maker.model.ThenCall({HangingCall()});
  const auto run = desk.Begin(kSomebody, kTea);
  EXPECT_TRUE(run);
  if (!run) co_return;
  co_await Settle();
  const auto refused = desk.Begin(kSomebody, kTea);
  EXPECT_EQ(refused.error().code(), ErrorCode::kQueueFull);
  std::vector<std::string> seen;
  seen.push_back(co_await StatusOf(&desk, ctx, *run));
  EXPECT_TRUE(desk.Pause(run->value()));
  seen.push_back(co_await StatusOf(&desk, ctx, *run));
  const auto taken = co_await desk.HandOver(ctx, run->value(), {.person = "Ada", .reason = ""});
  EXPECT_TRUE(taken);
  seen.push_back(co_await StatusOf(&desk, ctx, *run));
  const auto back = co_await desk.Resume(ctx, run->value(), {.person = "Ada", .reason = ""});
  EXPECT_TRUE(back);
  seen.push_back(co_await StatusOf(&desk, ctx, *run));
  EXPECT_EQ(seen, (std::vector<std::string>{"running EXECUTE_TOOL", "paused EXECUTE_TOOL",
                                            "handed_over EXECUTE_TOOL", "running EXECUTE_TOOL"}));
  EXPECT_EQ(desk.Pause("run-none").error().code(), ErrorCode::kNotFound);
  EXPECT_TRUE(desk.Cancel(run->value(), "enough"));
  const auto result = co_await desk.Await(ctx, run->value());
  EXPECT_EQ(TextAt(*result, "stop_reason"), "cancelled");
  EXPECT_EQ(desk.List().size(), 1U);
}

CO_TEST(RunDeskTest, TakesUpWhatWasCancelled) {
  DeskMaker maker;
  RunDesk desk(ctx.executor(), ctx.clock(), &maker, DeskMost());
  maker.model.ThenCall({HangingCall()});
  const auto run = desk.Begin(kSomebody, kTea);
  co_await Settle();
  const auto too_soon = co_await desk.BeginAgain(ctx, kSomebody, *run);
  EXPECT_EQ(too_soon.error().code(), ErrorCode::kAlreadyExists);
  EXPECT_TRUE(desk.Cancel(run->value(), "enough"));
  co_await desk.Await(ctx, run->value());
  maker.model.ThenSay("Done.");

  const auto again = co_await desk.BeginAgain(ctx, kSomebody, *run);
  const auto result = co_await desk.Await(ctx, run->value());

  EXPECT_TRUE(again);
  EXPECT_EQ(TextAt(*result, "stop_reason"), "completed");
  const auto too_late = co_await desk.BeginAgain(ctx, kSomebody, *run);
  EXPECT_EQ(too_late.error().message(), "run " + run->value() + " is over: completed");
}

CO_TEST(RunDeskTest, KnowsRunsOfEarlierDays) {
  DeskMaker maker;
  RunDesk before(ctx.executor(), ctx.clock(), &maker, DeskMost());
  maker.model.ThenSay("Done.");
  const auto done = co_await RunWhole(&before, ctx);
  const RunId run(TextAt(*done, "run_id"));
  RunDesk desk(ctx.executor(), ctx.clock(), &maker, DeskMost());

  const auto status = co_await desk.Status(ctx, kSomebody, run);
  maker.records->all.pop_back();  // as if it had crashed
  const auto broken = co_await desk.Status(ctx, kSomebody, run);
  const auto none = co_await desk.Status(ctx, kSomebody, RunId("run-none"));

  EXPECT_EQ(TextAt(*status, "status"), "complete");
  EXPECT_EQ(TextAt(*broken, "status"), "broken_off");
  EXPECT_EQ(none.error().code(), ErrorCode::kNotFound);
}

CO_TEST(RunDeskTest, EndsEverythingWhenItStops) {
  DeskMaker maker;
  RunDesk desk(ctx.executor(), ctx.clock(), &maker, DeskMost());
  maker.model.ThenCall({HangingCall()});
  const auto run = desk.Begin(kSomebody, kTea);
  co_await Settle();

  co_await desk.Stop({ErrorCode::kCancelled, "the server ends"});

  EXPECT_EQ(maker.records->events().back(), "run_closed");
  EXPECT_EQ(desk.Begin(kSomebody, kTea).error().code(), ErrorCode::kToolUnavailable);
}

CO_TEST(RunDeskTest, TakesUpNoMoreThanTheSettingsAllowToday) {
  DeskMaker maker;
  RunDesk before(ctx.executor(), ctx.clock(), &maker, DeskMost());
  maker.model.ThenCall({HangingCall()});
  const auto run = before.Begin(kSomebody, kTea);
  co_await Settle();
  EXPECT_TRUE(before.Cancel(run->value(), "enough"));
  co_await before.Await(ctx, run->value());
  maker.model.ThenSay("Done.");
  RunDesk desk(ctx.executor(), ctx.clock(), &maker,
               {.max_steps = 4, .allowed_tools = {"browser_snapshot"}});

  const auto again = co_await desk.BeginAgain(ctx, kSomebody, *run);
  co_await desk.Await(ctx, run->value());

  EXPECT_TRUE(again);
  EXPECT_EQ(maker.orders.back().config.max_steps, 4);
  EXPECT_EQ(maker.orders.back().config.allowed_tools, std::vector<std::string>{"browser_snapshot"});
  EXPECT_EQ(maker.orders.back().times_resumed, 1);
}

CO_TEST(RunDeskTest, CarriesARunOnUntilItIsOver) {
  DeskMaker maker;
  RunDesk desk(ctx.executor(), ctx.clock(), &maker, DeskMost());
  const RunId id("run-kept");
  maker.model.ThenCall({HangingCall()});
  CancelSource ends;
  InBackground first(ctx.executor(),
                     desk.CarryOn(ctx.WithCancel(ends.token()), kSomebody, id, kTea, {}));
  co_await Settle();
  ends.Cancel({ErrorCode::kCancelled, "the server ends"});

  const auto left = co_await first.Join();
  maker.model.ThenSay("Done.");
  const auto done = co_await desk.CarryOn(ctx, kSomebody, id, kTea, {});
  const auto known = co_await desk.CarryOn(ctx, kSomebody, id, kTea, {});

  EXPECT_EQ(left.error().message(), "the server ends") << "no end that would count as one";
  EXPECT_EQ(TextAt(*done, "stop_reason"), "completed");
  EXPECT_EQ(TextAt(*known, "response"), "Done.") << "from the records";
  EXPECT_EQ(maker.orders.size(), 2U) << "one run, taken up once";
}

CO_TEST(RunDeskTest, WhoFollowsARunHearsOfItsEndWhileTheServerEnds) {
  DeskMaker maker;
  RunDesk desk(ctx.executor(), ctx.clock(), &maker, DeskMost());
  maker.model.ThenCall({HangingCall()});
  InBackground run(ctx.executor(), RunWhole(&desk, ctx));
  co_await Settle();

  co_await desk.Stop({ErrorCode::kCancelled, "the server ends"});
  const auto result = co_await run.Join();

  EXPECT_TRUE(result);
  if (result) EXPECT_EQ(TextAt(*result, "stop_reason"), "cancelled");
}

CO_TEST(RunDeskTest, ARunThatIsOverCannotBeGoverned) {
  DeskMaker maker;
  RunDesk desk(ctx.executor(), ctx.clock(), &maker, DeskMost());
  maker.model.ThenSay("Done.");
  const auto done = co_await RunWhole(&desk, ctx);
  const std::string run = TextAt(*done, "run_id");

  const auto resumed = co_await desk.Resume(ctx, run, {.person = "Ada", .reason = ""});
  const auto taken = co_await desk.HandOver(ctx, run, {.person = "Ada", .reason = ""});

  EXPECT_EQ(desk.Pause(run).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(resumed.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(taken.error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace falconer::agent
