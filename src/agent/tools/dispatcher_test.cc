// How tools are called, whoever calls them.
#include "agent/tools/dispatcher.h"

#include <gtest/gtest.h>

#include "agent/tools/dispatch_many.h"
#include "tests/support/co_test.h"
#include "tests/support/in_background.h"
#include "tests/support/settle.h"
#include "tests/support/tool_bench.h"

namespace falconer::agent {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::InBackground;
using test::ToolBench;

ToolResult Done(std::string text = "ok") {
  return {.text = std::move(text)};
}

ToolResult Broken(ErrorCode code, json::object details = {}) {
  return ToolResult::Failed(ToolFailure::Of(Error(code, "broken", std::move(details))));
}

// Answers with the next of these; with the last one for ever.
struct Script {
  std::vector<ToolResult> answers;
  int tries = 0;

  static Task<ToolResult> Next(Script* self) {
    const auto at =
        std::min<std::size_t>(static_cast<std::size_t>(self->tries++), self->answers.size() - 1);
    co_return self->answers[at];
  }
  Dispatch::Body body() {
    return [this](const CallContext&, const ToolCall&) { return Next(this); };
  }
};

// Ends when its context does, and says why.
Task<ToolResult> WaitForEnd(CallContext ctx, ToolCall) {
  Alarm never(ctx.executor(), ctx.clock());
  const auto ended = co_await ctx.Wait(&never, "the tool");
  co_return ToolResult::Failed(ToolFailure::Of(ended.error()));
}

ToolCall Of(std::string name, json::object arguments = {}) {
  return {.id = "c1", .name = std::move(name), .arguments = std::move(arguments)};
}

CO_TEST(DispatcherTest, ACallIsAStepOnTheTrace) {
  ToolBench bench(ctx);
  Script script{.answers = {{.text = "ok", .artifacts = {"shot_1"}, .policy_flags = {"x"}}}};
  bench.Add("look", SideEffect::kRead, script.body());

  const auto result = co_await bench.Call(bench.ctx, Of("look", {{"b", 1}, {"a", "hunter2"}}));

  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.step_id, "s1");
  EXPECT_EQ(bench.trace.steps.size(), 1U);
  const std::string told = json::serialize(bench.trace.steps.at(0).ToJson());
  EXPECT_EQ(told,
            R"({"run_id":"run-1","step_id":"s1","tool_name":"look","args_hash":")" +
                ArgsHash({{"a", "hunter2"}, {"b", 1}}) +
                R"(","duration_ms":0,"status":"ok","error_code":null,)"
                R"("artifacts":["shot_1"],"policy_flags":["x"],"mode":"external","tries":1})");
  EXPECT_FALSE(told.contains("hunter2"));
}

CO_TEST(DispatcherTest, ArgumentsAreCheckedBeforeAnythingIsDone) {
  ToolBench bench(ctx);
  Script script{.answers = {Done()}};
  auto& tool = bench.Add("look", SideEffect::kRead, script.body());
  tool.input_schema = {{"type", "object"},
                       {"properties", {{"target", {{"type", "string"}}}}},
                       {"additionalProperties", false}};

  const auto result = co_await bench.Call(bench.ctx, Of("look", {{"target", 3}}));

  EXPECT_EQ(script.tries, 0);
  EXPECT_EQ(result.error_code(), "validation_error");
  EXPECT_EQ(result.text, "error VALIDATION_ERROR: target: expected string, got number\nretry: no");
  EXPECT_EQ(bench.trace.steps.at(0).error_code, "validation_error");
  EXPECT_EQ(bench.trace.steps.at(0).error, "VALIDATION_ERROR");

  tool.accepted_schema = {{"type", "object"}};
  EXPECT_TRUE((co_await bench.Call(bench.ctx, Of("look", {{"target", 3}}))).ok());
}

CO_TEST(DispatcherTest, WhatReadsIsTriedAgainAfterItsPause) {
  ToolBench bench(ctx);
  Script script{.answers = {Broken(ErrorCode::kNetworkError), Done()}};
  bench.Add("look", SideEffect::kRead, script.body()).retry = {.retries = 1};
  InBackground call(bench.ctx.executor(), bench.Call(bench.ctx, Of("look")));

  co_await test::Settle();
  EXPECT_EQ(script.tries, 1);
  bench.clock.Advance(milliseconds(249));
  co_await test::Settle();
  EXPECT_EQ(script.tries, 1) << "not before its pause is over";
  bench.clock.Advance(milliseconds(1));
  const auto result = co_await call.Join();

  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.tries, 2);
  EXPECT_EQ(bench.trace.steps.size(), 1U) << "one call is one step";
  EXPECT_EQ(bench.trace.steps.at(0).tries, 2);
  EXPECT_EQ(bench.trace.steps.at(0).duration, milliseconds(250));
}

CO_TEST(DispatcherTest, AToolThatSaysWhenToComeBackIsHeeded) {
  ToolBench bench(ctx);
  Script script{.answers = {Broken(ErrorCode::kQueueFull, {{"retry_after_ms", 2000}}), Done()}};
  bench.Add("look", SideEffect::kRead, script.body()).retry = {.retries = 1};
  InBackground call(bench.ctx.executor(), bench.Call(bench.ctx, Of("look")));

  co_await test::Settle();
  bench.clock.Advance(milliseconds(1999));
  co_await test::Settle();
  EXPECT_EQ(script.tries, 1);
  bench.clock.Advance(milliseconds(1));
  EXPECT_TRUE((co_await call.Join()).ok());
}

CO_TEST(DispatcherTest, APauseThatEndsTooLateIsNotMade) {
  ToolBench bench(ctx);
  Script script{.answers = {Broken(ErrorCode::kQueueFull, {{"retry_after_ms", 40'000}}), Done()}};
  bench.Add("look", SideEffect::kRead, script.body()).retry = {.retries = 3};

  const auto result = co_await bench.Call(bench.ctx, Of("look"));

  EXPECT_EQ(result.error_code(), "tool_unavailable");
  EXPECT_EQ(result.failure->retry_after, seconds(40));
  EXPECT_EQ(script.tries, 1);
}

CO_TEST(DispatcherTest, OnlyWhatReadsAndMayPassIsTriedAgain) {
  for (const SideEffect effect : {SideEffect::kWrite, SideEffect::kDestroy, SideEffect::kAuth}) {
    ToolBench bench(ctx);
    Script script{.answers = {Broken(ErrorCode::kNetworkError), Done()}};
    // Even if its descriptor is wrong.
    bench.Add("act", effect, script.body()).retry = {.retries = 5};
    const auto result = co_await bench.Call(bench.ctx, Of("act"));
    EXPECT_FALSE(result.ok());
    EXPECT_TRUE(result.failure->is_retriable) << "that is for the caller to decide";
    EXPECT_EQ(script.tries, 1);
  }
  ToolBench bench(ctx);
  Script script{.answers = {Broken(ErrorCode::kPolicyDenied), Done()}};
  bench.Add("look", SideEffect::kRead, script.body()).retry = {.retries = 5};
  const auto denied = co_await bench.Call(bench.ctx, Of("look"));
  EXPECT_EQ(denied.error_code(), "policy_denied");
  EXPECT_EQ(script.tries, 1);
  EXPECT_EQ(bench.trace.steps.at(0).policy_flags, std::vector<std::string>{"POLICY_DENIED"});
}

CO_TEST(DispatcherTest, ACallHasTheTimeOfItsTool) {
  ToolBench bench(ctx);
  bench.Add("slow", SideEffect::kWrite, WaitForEnd).timeout = seconds(7);
  InBackground call(bench.ctx.executor(), bench.Call(bench.ctx, Of("slow")));

  co_await test::Settle();
  bench.clock.Advance(seconds(7));
  const auto result = co_await call.Join();

  EXPECT_EQ(result.error_code(), "tool_timeout");
  EXPECT_EQ(result.text, "error TOOL_TIMEOUT: slow took longer than 7000 ms\nretry: no");
  EXPECT_FALSE(result.failure->is_retriable) << "nobody knows what it has done";
  EXPECT_EQ(bench.trace.steps.at(0).duration, seconds(7));
}

CO_TEST(DispatcherTest, AToolThatKeepsItsOwnTimeIsNotCutOff) {
  ToolBench bench(ctx);
  auto& tool = bench.Add("people", SideEffect::kWrite, WaitForEnd);
  tool.timekeeper = Timekeeper::kTool;
  CancelSource cancel;
  InBackground call(bench.ctx.executor(),
                    bench.Call(bench.ctx.WithCancel(cancel.token()), Of("people")));

  co_await test::Settle();
  bench.clock.Advance(std::chrono::hours(1));
  co_await test::Settle();
  EXPECT_FALSE(call.is_done());
  cancel.Cancel(Error(ErrorCode::kCancelled, "the client has gone"));
  EXPECT_EQ((co_await call.Join()).failure->error.code(), ErrorCode::kCancelled);
}

CO_TEST(DispatcherTest, ACancelEndsTheCallAndThePause) {
  ToolBench bench(ctx);
  Script script{.answers = {Broken(ErrorCode::kNetworkError)}};
  bench.Add("look", SideEffect::kRead, script.body()).retry = {.retries = 9};
  CancelSource cancel;
  InBackground call(bench.ctx.executor(),
                    bench.Call(bench.ctx.WithCancel(cancel.token()), Of("look")));

  co_await test::Settle();
  cancel.Cancel(Error(ErrorCode::kCancelled, "enough"));
  EXPECT_EQ((co_await call.Join()).failure->error.code(), ErrorCode::kNetworkError);
  EXPECT_EQ(script.tries, 1);

  const auto late = co_await bench.Call(bench.ctx.WithCancel(cancel.token()), Of("look"));
  EXPECT_EQ(late.failure->error.code(), ErrorCode::kCancelled);
  EXPECT_EQ(script.tries, 1) << "nothing is begun for who has gone";
}

CO_TEST(DispatcherTest, AnAnswerThatIsAnErrorIsNoSuccess) {
  for (const std::string_view said : {R"({"error":"disk full"})", R"({"error":{"code":1}})",
                                      R"({"ok":false})", R"({"isError":true})"}) {
    ToolBench bench(ctx);
    Script script{.answers = {{.text = "fine", .structured = ParseJsonObject(said).value()}}};
    bench.Add("odd", SideEffect::kRead, script.body());
    const auto result = co_await bench.Call(bench.ctx, Of("odd"));
    EXPECT_EQ(result.error_code(), "execution_error") << said;
    EXPECT_EQ(bench.trace.steps.at(0).ToJson().at("status"), "error") << said;
  }
  ToolBench bench(ctx);
  Script fine{.answers = {{.structured = json::object{{"error", nullptr}, {"ok", true}}}}};
  bench.Add("fine", SideEffect::kRead, fine.body());
  EXPECT_TRUE((co_await bench.Call(bench.ctx, Of("fine"))).ok());
}

CO_TEST(DispatcherTest, AToolThatThereIsNotIsAResultThatSaysWhatWasMeant) {
  ToolBench bench(ctx);
  Script script{.answers = {Done()}};
  bench.Add("browser_click", SideEffect::kWrite, script.body());

  const auto result = co_await bench.Call(bench.ctx, Of("browser_clik"));

  EXPECT_EQ(result.error_code(), "validation_error");
  EXPECT_TRUE(result.text.contains("did you mean \"browser_click\"?")) << result.text;
  EXPECT_FALSE(result.failure->is_retriable);
  EXPECT_EQ(bench.trace.steps.at(0).tool_name, "browser_clik");
}

// Calls that go on until the test lets them.
struct Gates {
  std::vector<std::string> began;
  std::vector<std::string> ended;
  Notifier changes;
  bool is_open = false;

  static Task<ToolResult> Pass(Gates* self, CallContext ctx, std::string name) {
    self->began.push_back(name);
    const auto open = co_await self->changes.Until(ctx, [self] { return self->is_open; }, "it");
    self->ended.push_back(name);
    if (!open) co_return ToolResult::Failed(ToolFailure::Of(open.error()));
    co_return Done(name);
  }
  Dispatch::Body body() {
    return [this](CallContext ctx, const ToolCall& call) {
      return Pass(this, std::move(ctx), TextAt(call.arguments, "n"));
    };
  }
  void Open() {
    is_open = true;
    changes.NotifyAll();
  }
};

std::vector<ToolCall> Calls(std::initializer_list<const char*> tools) {
  std::vector<ToolCall> calls;
  for (const char* tool : tools)
    calls.push_back(Of(tool, {{"n", std::to_string(calls.size() + 1)}}));
  return calls;
}

CO_TEST(DispatchManyTest, ReadsRunTogetherAndWritesOneAfterTheOther) {
  ToolBench bench(ctx);
  Gates gates;
  bench.Add("look", SideEffect::kRead, gates.body());
  bench.Add("act", SideEffect::kWrite, gates.body());
  InBackground all(bench.ctx.executor(),
                   DispatchMany(bench.ctx, &bench, Calls({"look", "look", "act", "act", "look"})));

  co_await test::Settle();
  EXPECT_EQ(gates.began, (std::vector<std::string>{"1", "2"})) << "the writes wait";
  gates.Open();
  const auto results = co_await all.Join();

  EXPECT_EQ(gates.began, (std::vector<std::string>{"1", "2", "3", "4", "5"}));
  EXPECT_EQ(gates.ended, gates.began);
  EXPECT_EQ(results.size(), 5U);
  for (std::size_t i = 0; i < results.size(); ++i)
    EXPECT_EQ(results[i].text, std::to_string(i + 1));
}

CO_TEST(DispatchManyTest, ACancelEndsAll) {
  ToolBench bench(ctx);
  Gates gates;
  bench.Add("look", SideEffect::kRead, gates.body());
  bench.Add("act", SideEffect::kWrite, gates.body());
  CancelSource cancel;
  InBackground all(bench.ctx.executor(), DispatchMany(bench.ctx.WithCancel(cancel.token()), &bench,
                                                      Calls({"look", "look", "act", "nothing"})));

  co_await test::Settle();
  cancel.Cancel(Error(ErrorCode::kCancelled, "enough"));
  const auto results = co_await all.Join();

  EXPECT_EQ(gates.began.size(), 2U) << "what has not begun does not begin";
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(results.at(i).failure->error.code(), ErrorCode::kCancelled) << i;
  EXPECT_EQ(results.at(3).failure->error.code(), ErrorCode::kNotFound);
}

TEST(ToolStepTest, TheHashIsThatOfTheValueHoweverItIsWritten) {
  const auto one = ArgsHash(ParseJsonObject(R"({"a":1,"b":[true]})").value());
  EXPECT_EQ(one, ArgsHash(ParseJsonObject(R"({ "b" : [ true ], "a" : 1.0 })").value()));
  EXPECT_EQ(one.size(), 12U);
  EXPECT_NE(one, ArgsHash({{"a", 2}}));
  EXPECT_EQ(ArgsHash({}), "44136fa355b3") << "SHA-256 of {}";
}

}  // namespace
}  // namespace falconer::agent
