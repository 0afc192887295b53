// A run from its first word to its last: every way it can end.
#include "agent/loop/run_loop.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "tests/support/co_test.h"
#include "tests/support/in_background.h"
#include "tests/support/run_bench.h"
#include "tests/support/settle.h"

namespace falconer::agent {
namespace {

using test::InBackground;
using test::RunBench;
using test::ScriptedBox;
using test::Settle;

ProviderAnswer Priced(AssistantAction action, std::int64_t tokens, std::int64_t cost) {
  return {
      .action = std::move(action), .usage = {.input = tokens, .output = 0}, .cost_micros = cost};
}

CO_TEST(RunLoopTest, WorksUntilTheModelAnswers) {
  RunBench bench;
  bench.ThenCall("browser_snapshot");
  bench.ThenCall("browser_click");
  bench.model.ThenSay("The tea is bought.");

  const RunResult result = co_await bench.Go(ctx);

  EXPECT_TRUE(result.success);
  EXPECT_EQ(result.stop_reason, StopReason::kCompleted);
  EXPECT_EQ(result.response, "The tea is bought.");
  EXPECT_EQ(result.steps, 2);
  EXPECT_FALSE(result.error);
  EXPECT_EQ(bench.States(),
            "PLAN EXECUTE_TOOL OBSERVE PLAN EXECUTE_TOOL OBSERVE PLAN RESPOND STOP");
  EXPECT_TRUE(bench.people->is_closed);
  // What only reads needs no word before it.
  EXPECT_EQ(bench.records->events(),
            (std::vector<std::string>{"run_opened", "run_step", "run_planned", "run_step",
                                      "run_step", "run_closed"}));
  const json::object told = result.ToJson();
  EXPECT_EQ(told.at("trace").as_array().size(), 2U);
  EXPECT_EQ(told.at("summary").at("total").at("answers"), 3);
  EXPECT_TRUE(told.at("error").is_null());
}

CO_TEST(RunLoopTest, EndsAfterItsSteps) {
  RunBench bench;
  bench.config.max_steps = 2;
  for (int i = 0; i < 3; ++i) bench.ThenCall("browser_click", "d1e" + std::to_string(i));

  const RunResult result = co_await bench.Go(ctx);

  EXPECT_EQ(result.stop_reason, StopReason::kMaxSteps);
  EXPECT_FALSE(result.success);
  EXPECT_EQ(bench.box->called().size(), 2U);
  EXPECT_EQ(bench.model.asked().size(), 2U) << "nobody is asked for what cannot be done";
}

// Both a tool and a model that hang are cut off when the time is up.
CO_TEST(RunLoopTest, CutsOffAToolThatHangs) {
  FakeClock clock;
  const CallContext timed(ctx.executor(), clock);
  RunBench bench;
  bench.config.max_wall_time = std::chrono::seconds(30);
  bench.box->On("browser_click",
                [](CallContext call, ToolCall) { return ScriptedBox::Hang(call); });
  bench.ThenCall("browser_click");
  InBackground run(ctx.executor(), bench.Go(timed));
  co_await Settle();

  clock.Advance(std::chrono::seconds(29));
  co_await Settle();
  EXPECT_FALSE(run.is_done());
  clock.Advance(std::chrono::seconds(1));
  const RunResult result = co_await run.Join();

  EXPECT_EQ(result.stop_reason, StopReason::kMaxWallTime);
  EXPECT_EQ(result.error->code(), ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(result.wall_time, std::chrono::seconds(30));
}

Task<ToolResult> NeverMind(CallContext ctx) {
  Alarm never(ctx.executor(), ctx.clock());
  co_await never.Wait(Deadline::Never());
  co_return ToolResult{};
}

CO_TEST(RunLoopTest, BreaksOffAToolThatHeedsNoDeadline) {
  FakeClock clock;
  RunBench bench;
  bench.config.max_wall_time = std::chrono::seconds(30);
  bench.box->On("browser_click", [](CallContext call, ToolCall) { return NeverMind(call); });
  bench.ThenCall("browser_click");
  InBackground run(ctx.executor(), bench.Go(CallContext(ctx.executor(), clock)));
  co_await Settle();
  clock.Advance(std::chrono::seconds(30));
  co_await Settle();
  clock.Advance(std::chrono::seconds(5));

  const RunResult result = co_await run.Join();

  EXPECT_EQ(result.stop_reason, StopReason::kMaxWallTime);
  EXPECT_EQ(result.trace.at(0).calls.at(0).error_code, "TOOL_TIMEOUT");
}

class HangingProvider final : public Provider {
 public:
  const std::string& name() const override { return name_; }
  Result<void> Fits(const ChatRequest&) const override { return {}; }
  Task<Result<ProviderAnswer>> Ask(CallContext ctx, ChatRequest, DeltaSink) override {
    Alarm never(ctx.executor(), ctx.clock());
    const auto woken = co_await ctx.Wait(&never, "the model");
    co_return Fail(woken.error());
  }

 private:
  std::string name_ = "slow";
};

CO_TEST(RunLoopTest, CutsOffAModelThatHangs) {
  FakeClock clock;
  RunBench bench;
  HangingProvider slow;
  bench.kit.provider = &slow;
  InBackground run(ctx.executor(), bench.Go(CallContext(ctx.executor(), clock)));
  co_await Settle();
  clock.Advance(std::chrono::seconds(90));

  const RunResult result = co_await run.Join();

  EXPECT_EQ(result.stop_reason, StopReason::kMaxWallTime) << "not the provider's fault";
}

CO_TEST(RunLoopTest, EndsAfterFailuresInARow) {
  RunBench bench;
  bench.box->On("browser_click", [n = 0](CallContext, ToolCall) mutable {
    return ScriptedBox::Say(
        ScriptedBox::Failed(ErrorCode::kElementNotFound, "no element " + std::to_string(++n)));
  });
  bench.ThenCall("browser_click");
  bench.ThenCall("browser_click");
  bench.ThenCall("browser_snapshot");  // which succeeds
  for (int i = 0; i < 4; ++i) bench.ThenCall("browser_click");

  const RunResult result = co_await bench.Go(ctx);

  EXPECT_EQ(result.stop_reason, StopReason::kMaxFailures);
  EXPECT_EQ(result.steps, 6);
}

CO_TEST(RunLoopTest, CountsAnAnswerThatIsNone) {
  RunBench bench;
  bench.model.ThenSay("");
  bench.model.Then(ProviderAnswer{.action = Respond{"It is"}, .end = AnswerEnd::kLength});
  bench.model.ThenSay("");

  const RunResult result = co_await bench.Go(ctx);

  EXPECT_EQ(result.stop_reason, StopReason::kMaxFailures);
  EXPECT_TRUE(bench.Asked(1).contains("Your answer was empty"));
  EXPECT_TRUE(bench.Asked(2).contains("Your answer was cut off"));
}

CO_TEST(RunLoopTest, NoticesTheSameCallWithTheSameAnswer) {
  RunBench bench;
  bench.box->Answer("browser_click", {.text = "ok, nothing changed"});
  for (int i = 0; i < 5; ++i) bench.ThenCall("browser_click");

  const RunResult result = co_await bench.Go(ctx);

  EXPECT_EQ(result.stop_reason, StopReason::kNoOpLoop);
  EXPECT_EQ(result.steps, 3);
}

CO_TEST(RunLoopTest, NoticesStepsThatChangeNothing) {
  RunBench bench;
  bench.box->Answer("browser_click", {.text = "ok, nothing changed"});
  for (int i = 0; i < 5; ++i) bench.ThenCall("browser_click", "d1e" + std::to_string(i));

  const RunResult result = co_await bench.Go(ctx);

  EXPECT_EQ(result.stop_reason, StopReason::kNoOpLoop);
  EXPECT_EQ(result.steps, 3);
}

CO_TEST(RunLoopTest, NoticesGoingToAndFro) {
  RunBench bench;
  bench.box->Answer("browser_click", {.text = "ok, page a"});
  bench.box->Answer("browser_navigate", {.text = "ok, page b"});
  for (int i = 0; i < 5; ++i) {
    bench.ThenCall("browser_click");
    bench.ThenCall("browser_navigate");
  }

  const RunResult result = co_await bench.Go(ctx);

  EXPECT_EQ(result.stop_reason, StopReason::kNoOpLoop);
  EXPECT_EQ(result.steps, 6) << "three times since something new was seen";
}

CO_TEST(RunLoopTest, TellsTheFirstDenialAndEndsAtTheSecond) {
  RunBench bench;
  bench.box->Answer("browser_click",
                    ScriptedBox::Failed(ErrorCode::kPolicyDenied, "purchases are not allowed"));
  bench.ThenCall("browser_click", "d1e1");
  bench.ThenCall("browser_snapshot");
  bench.ThenCall("browser_click", "d1e2");
  bench.model.ThenSay("never");

  const RunResult result = co_await bench.Go(ctx);

  EXPECT_EQ(result.stop_reason, StopReason::kPolicyDenied);
  EXPECT_EQ(result.steps, 3);
  EXPECT_TRUE(bench.Asked(1).contains("purchases are not allowed"));
  EXPECT_EQ(result.error->message(), "purchases are not allowed");
  EXPECT_EQ(result.summary.policy_denials.size(), 2U);
  EXPECT_EQ(result.ToJson().at("trace").at(0).at("policy_decision"),
            "denied: purchases are not allowed");
}

CO_TEST(RunLoopTest, EndsWhenItsTokensAreUsedUp) {
  RunBench bench;
  bench.config.max_tokens = 100'000;
  bench.model.Then(Priced(ToolCalls{.calls = {bench.CallOf("browser_snapshot", "a")}}, 60'000, 0));
  bench.model.Then(Priced(ToolCalls{.calls = {bench.CallOf("browser_click", "a")}}, 60'000, 0));

  const RunResult result = co_await bench.Go(ctx);

  EXPECT_EQ(result.stop_reason, StopReason::kTokenBudget);
  EXPECT_EQ(bench.box->called().size(), 1U) << "what it wants beyond the budget is not done";
  EXPECT_EQ(result.trace.back().calls.at(0).status, CallStatus::kSkipped);
}

CO_TEST(RunLoopTest, AsksNothingThatItsTokensDoNotAllow) {
  RunBench bench;
  bench.config.max_tokens = 10;

  const RunResult result = co_await bench.Go(ctx);

  EXPECT_EQ(result.stop_reason, StopReason::kTokenBudget);
  EXPECT_TRUE(bench.model.asked().empty());
}

CO_TEST(RunLoopTest, EndsWhenItsMoneyIsUsedUp) {
  RunBench bench;
  bench.config.max_cost_micros = 1000;
  bench.model.Then(Priced(ToolCalls{.calls = {bench.CallOf("browser_click", "a")}}, 10, 1000));

  const RunResult result = co_await bench.Go(ctx);

  EXPECT_EQ(result.stop_reason, StopReason::kCostBudget);
  EXPECT_TRUE(bench.box->called().empty());
  EXPECT_EQ(result.summary.by_provider.at("near").cost_micros, 1000);
}

CO_TEST(RunLoopTest, AnAnswerThatWasPaidForCounts) {
  RunBench bench;
  bench.config.max_cost_micros = 1000;
  bench.model.Then(Priced(Respond{"Done."}, 10, 5000));

  const RunResult result = co_await bench.Go(ctx);

  EXPECT_EQ(result.stop_reason, StopReason::kCompleted);
}

CO_TEST(RunLoopTest, AProviderThatFailsIsNoSuccess) {
  RunBench bench;
  bench.model.Then(Fail(ErrorCode::kProviderOverloaded, "come again"));

  const RunResult result = co_await bench.Go(ctx);

  EXPECT_EQ(result.stop_reason, StopReason::kProviderError);
  EXPECT_FALSE(result.success);
  EXPECT_EQ(result.error->code(), ErrorCode::kProviderOverloaded);
  EXPECT_EQ(bench.States(), "PLAN ERROR STOP");
}

CO_TEST(RunLoopTest, DoesNothingThatCannotBeRecorded) {
  for (const std::string event : {"run_opened", "run_planned"}) {
    RunBench bench;
    bench.records->fails_at = event;
    bench.ThenCall("browser_click");
    bench.model.ThenSay("never");

    const RunResult result = co_await bench.Go(ctx);

    EXPECT_EQ(result.stop_reason, StopReason::kInternalError) << event;
    EXPECT_EQ(result.error->code(), ErrorCode::kIoError) << event;
    EXPECT_TRUE(bench.box->called().empty()) << event;
  }
}

CO_TEST(RunLoopTest, AnEndThatIsNotOnRecordIsNoSuccess) {
  for (const std::string event : {"run_step", "run_closed"}) {
    RunBench bench;
    bench.records->fails_at = event;
    bench.model.ThenSay("Done.");

    const RunResult result = co_await bench.Go(ctx);

    EXPECT_EQ(result.stop_reason, StopReason::kInternalError) << event;
    EXPECT_FALSE(result.success) << event;
  }
}

CO_TEST(RunLoopTest, EndsAtOnceWhenItIsCancelled) {
  RunBench bench;
  bench.box->On("browser_click", [&bench](CallContext call, ToolCall) {
    bench.control.Cancel({ErrorCode::kCancelled, "enough"});
    return ScriptedBox::Hang(call);
  });
  bench.ThenCall("browser_click");
  bench.model.ThenSay("never");

  const RunResult result = co_await bench.Go(ctx);

  EXPECT_EQ(result.stop_reason, StopReason::kCancelled);
  EXPECT_EQ(result.error->message(), "enough");
  EXPECT_EQ(bench.model.asked().size(), 1U);
  EXPECT_EQ(bench.records->events().back(), "run_closed");
}

CO_TEST(RunLoopTest, AnswersAreNoLongerThanItsTokensAllow) {
  RunBench bench;
  bench.config.max_tokens = 100'000;
  bench.model.Then(Priced(ToolCalls{.calls = {bench.CallOf("browser_look", "a")}}, 98'000, 0));
  bench.model.ThenSay("Done.");

  co_await bench.Go(ctx);

  EXPECT_EQ(bench.model.asked().at(0).max_tokens, 4096);
  const ChatRequest& last = bench.model.asked().at(1);
  EXPECT_EQ(98'000 + static_cast<std::int64_t>(EstimateRequestTokens(last)) + last.max_tokens,
            100'000);
}

// Loses what came of a step, a little after it was asked to keep it.
class LosingLog final : public RunLog {
 public:
  Task<Result<void>> Append(json::object record) override {
    if (TextAt(record, "event") != kRunStep) co_return Result<void>();
    co_await Settle(4);
    co_return Fail(ErrorCode::kIoError, "no space is left");
  }
  Task<Result<std::vector<json::object>>> Read(CallContext, RunId) override {
    co_return std::vector<json::object>();
  }
};

// Thinks a while.
class ThinkingProvider final : public Provider {
 public:
  explicit ThinkingProvider(Provider& model) : model_(model) {}
  const std::string& name() const override { return model_.name(); }
  Result<void> Fits(const ChatRequest& request) const override { return model_.Fits(request); }
  Task<Result<ProviderAnswer>> Ask(CallContext ctx, ChatRequest request, DeltaSink sink) override {
    co_await Settle();
    co_return co_await model_.Ask(std::move(ctx), std::move(request), std::move(sink));
  }

 private:
  Provider& model_;
};

CO_TEST(RunLoopTest, DoesNothingMoreOnceARecordIsLost) {
  RunBench bench;
  ThinkingProvider model(bench.model);
  bench.kit.provider = &model;
  bench.kit.log = std::make_unique<LosingLog>();
  bench.ThenCall("browser_look");
  bench.ThenCall("browser_click");

  const RunResult result = co_await bench.Go(ctx);

  EXPECT_EQ(result.stop_reason, StopReason::kInternalError);
  EXPECT_EQ(bench.box->called().size(), 1U) << "the step before it is on no record";
}

}  // namespace
}  // namespace falconer::agent
