#include "api/mcp/task_book.h"

#include "base/async/fake_clock.h"
#include "tests/support/co_test.h"
#include "tests/support/mcp_offer_bench.h"
#include "tests/support/mcp_tools.h"

namespace falconer::api {
namespace {

using test::FailureIn;
using test::McpOfferBench;
using test::Settle;

constexpr auto kSoon = std::chrono::milliseconds(500);

// Works until the test lets it go on; then does what its argument says.
class TaskBench {
 public:
  explicit TaskBench(const CallContext& ctx) : ctx_(ctx.executor(), clock), bench(ctx_, Offer()) {
    bench.capabilities = NeedsTasks();
    bench.capabilities["elicitation"] = json::object();
  }

  // A call that has become a task: its id.
  Task<std::string> Begin(std::string how) {
    bench.lines.clear();
    bench.SendModern("tools/call", {{"name", "job"}, {"arguments", {{"how", how}}}});
    co_await Settle();
    EXPECT_TRUE(bench.lines.empty()) << "not before it takes long";
    clock.Advance(kSoon);
    co_await Settle();
    EXPECT_EQ(bench.lines.size(), 1U);
    const json::object& result = bench.lines.back().at("result").as_object();
    EXPECT_EQ(TextAt(result, "resultType"), "task");
    EXPECT_EQ(TextAt(result, "status"), "working");
    EXPECT_EQ(result.at("ttlMs"), 3'600'000);
    EXPECT_TRUE(TextAt(result, "createdAt").ends_with("Z"));
    co_return TextAt(result, "taskId");
  }
  Task<json::object> Look(std::string id) {
    const auto line = co_await bench.AskModern("tasks/get", {{"taskId", id}});
    EXPECT_TRUE(line.contains("result")) << json::serialize(line);
    co_return line.contains("result") ? line.at("result").as_object() : json::object();
  }
  Task<void> Release() {
    is_released = true;
    changes->NotifyAll();
    co_await Settle();
  }

  FakeClock clock;
  bool is_released = false;
  std::shared_ptr<Notifier> changes = std::make_shared<Notifier>();

 private:
  McpOffer Offer() {
    Tool job = test::Named("job", test::Hang);
    job.tasks = TaskUse::kMay;
    job.run = [this](CallContext ctx, ToolCall call) {
      return Work(this, std::move(ctx), std::move(call));
    };
    Tool must = job;
    must.info.name = "must";
    must.tasks = TaskUse::kMust;
    return ToolCatalog({job, must, test::Named("plain", test::Hang)});
  }

  static Task<ToolAnswer> Work(TaskBench* self, CallContext ctx, ToolCall call) {
    const std::string how = TextAt(call.arguments, "how");
    if (how == "at once") co_return ToolAnswer{.text = "soon done"};
    if (how == "ask at once") co_return Questions("");
    if (!call.input.responses.empty())
      co_return ToolAnswer{.text = call.input.state + json::serialize(call.input.responses)};
    call.report("begun");
    const auto changes = self->changes;
    const auto released =
        co_await changes->Until(ctx, [self] { return self->is_released; }, "the test");
    if (!released) co_return ToolAnswer{.text = Describe(released.error()), .is_error = true};
    if (how == "ask") co_return Questions("state-1 ");
    ToolAnswer answer{.text = "done", .is_error = how == "fail"};
    if (how == "break") answer.refusal = MakeRpcFailure(kRpcInternalError, "broken");
    co_return answer;
  }

  static ToolAnswer Questions(std::string state) {
    const json::object question{{"method", "elicitation/create"}};
    ToolAnswer answer;
    answer.questions =
        InputQuestions{.requests = {{"a", question}, {"b", question}}, .state = std::move(state)};
    return answer;
  }

  CallContext ctx_;

 public:
  McpOfferBench bench;
};

CO_TEST(TaskBookTest, WhatEndsSoonIsAnsweredAsEver) {
  TaskBench tasks(ctx);

  const auto done = co_await tasks.bench.AskModern(
      "tools/call", {{"name", "job"}, {"arguments", {{"how", "at once"}}}});
  const auto asked = co_await tasks.bench.AskModern(
      "tools/call", {{"name", "job"}, {"arguments", {{"how", "ask at once"}}}});

  EXPECT_EQ(done.at("result").at("content").at(0).at("text"), "soon done");
  EXPECT_EQ(asked.at("result").at("resultType"), "input_required");
  EXPECT_FALSE(tasks.bench.server.has_tasks());
}

CO_TEST(TaskBookTest, ALongCallBecomesATaskThatEndsWithItsResult) {
  TaskBench tasks(ctx);
  const std::string id = co_await tasks.Begin("well");

  const auto working = co_await tasks.Look(id);
  co_await tasks.Release();
  const auto done = co_await tasks.Look(id);

  EXPECT_EQ(TextAt(working, "status"), "working");
  EXPECT_EQ(TextAt(working, "statusMessage"), "begun");
  EXPECT_FALSE(working.contains("result"));
  EXPECT_EQ(TextAt(done, "status"), "completed");
  EXPECT_EQ(done.at("resultType"), "complete");
  EXPECT_EQ(done.at("result").at("content").at(0).at("text"), "done");
  EXPECT_TRUE(tasks.bench.server.has_tasks()) << "until nobody may look any more";
}

CO_TEST(TaskBookTest, AFailureIsAResultAndABrokenCallIsNot) {
  TaskBench tasks(ctx);
  const std::string failing = co_await tasks.Begin("fail");
  const std::string breaking = co_await tasks.Begin("break");
  co_await tasks.Release();

  const auto failed = co_await tasks.Look(failing);
  const auto broken = co_await tasks.Look(breaking);

  EXPECT_EQ(TextAt(failed, "status"), "completed");
  EXPECT_EQ(failed.at("result").at("isError"), true);
  EXPECT_EQ(TextAt(broken, "status"), "failed");
  EXPECT_EQ(json::serialize(broken.at("error")), R"({"code":-32603,"message":"broken"})");
  EXPECT_FALSE(broken.contains("result"));
}

CO_TEST(TaskBookTest, WhatATaskWantsToKnowIsAnsweredOneByOne) {
  TaskBench tasks(ctx);
  const std::string id = co_await tasks.Begin("ask");
  co_await tasks.Release();

  const auto asking = co_await tasks.Look(id);
  EXPECT_EQ(TextAt(asking, "status"), "input_required");
  EXPECT_EQ(asking.at("inputRequests").as_object().size(), 2U);
  const json::object accepted{{"action", "accept"}};
  const auto taken = co_await tasks.bench.AskModern(
      "tasks/update",
      {{"taskId", id}, {"inputResponses", {{"a", accepted}, {"unknown", accepted}}}});
  EXPECT_EQ(taken.at("result").at("resultType"), "complete");
  EXPECT_FALSE(taken.at("result").as_object().contains("status"));
  const auto half = co_await tasks.Look(id);
  EXPECT_EQ(TextAt(half, "status"), "input_required");
  EXPECT_EQ(half.at("inputRequests").as_object().size(), 1U);
  EXPECT_TRUE(half.at("inputRequests").as_object().contains("b"));
  co_await tasks.bench.AskModern("tasks/update",
                                 {{"taskId", id}, {"inputResponses", {{"b", accepted}}}});

  const auto done = co_await tasks.Look(id);
  EXPECT_EQ(TextAt(done, "status"), "completed");
  EXPECT_EQ(done.at("result").at("content").at(0).at("text"),
            R"(state-1 {"a":{"action":"accept"},"b":{"action":"accept"}})");
}

CO_TEST(TaskBookTest, AnswersThatAreNoneAreRefused) {
  TaskBench tasks(ctx);
  const std::string id = co_await tasks.Begin("ask");
  co_await tasks.Release();

  const auto refused = co_await tasks.bench.AskModern(
      "tasks/update", {{"taskId", id}, {"inputResponses", {{"a", 7}}}});

  EXPECT_EQ(FailureIn(refused), kRpcInvalidParams);
  co_await tasks.bench.Stop();
}

CO_TEST(TaskBookTest, IsCancelledOnceAndStaysSo) {
  TaskBench tasks(ctx);
  const std::string working = co_await tasks.Begin("well");
  const std::string asking = co_await tasks.Begin("well");

  for (int i = 0; i < 2; ++i) {
    const auto taken = co_await tasks.bench.AskModern("tasks/cancel", {{"taskId", working}});
    EXPECT_EQ(taken.at("result").at("resultType"), "complete");
    EXPECT_EQ(TextAt(co_await tasks.Look(working), "status"), "cancelled");
  }
  co_await tasks.Release();
  co_await tasks.bench.AskModern("tasks/cancel", {{"taskId", asking}});
  EXPECT_EQ(TextAt(co_await tasks.Look(asking), "status"), "completed") << "it had ended before";
}

CO_TEST(TaskBookTest, ATaskThatAsksCanBeCancelled) {
  TaskBench tasks(ctx);
  const std::string id = co_await tasks.Begin("ask");
  co_await tasks.Release();

  co_await tasks.bench.AskModern("tasks/cancel", {{"taskId", id}});
  const auto over = co_await tasks.Look(id);

  EXPECT_EQ(TextAt(over, "status"), "cancelled");
  EXPECT_FALSE(over.contains("inputRequests"));
}

CO_TEST(TaskBookTest, ACallThatIsCancelledBeforeItIsATaskIsNone) {
  TaskBench tasks(ctx);
  tasks.bench.SendModern("tools/call", {{"name", "job"}, {"arguments", {{"how", "well"}}}});
  co_await Settle();

  tasks.bench.server.CancelCall("", 1, Error(ErrorCode::kCancelled, "enough"));
  co_await Settle();
  tasks.clock.Advance(kSoon);
  co_await Settle();

  EXPECT_TRUE(tasks.bench.lines.empty());
  EXPECT_EQ(tasks.bench.server.running(), 0U);
  EXPECT_FALSE(tasks.bench.server.has_tasks());
}

CO_TEST(TaskBookTest, OnlyClientsThatSaySoGetTasks) {
  TaskBench tasks(ctx);
  tasks.bench.capabilities = {};

  for (const std::string method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    const auto refused = co_await tasks.bench.AskModern(method, {{"taskId", "x"}});
    EXPECT_EQ(FailureIn(refused), kRpcMissingCapability) << method;
  }
  const auto must = co_await tasks.bench.AskModern("tools/call", {{"name", "must"}});
  EXPECT_EQ(FailureIn(must), kRpcMissingCapability);
  EXPECT_EQ(must.at("error").at("data").at("requiredCapabilities"), json::value(NeedsTasks()));

  tasks.bench.lines.clear();
  tasks.bench.SendModern("tools/call", {{"name", "job"}, {"arguments", {{"how", "well"}}}});
  tasks.clock.Advance(kSoon * 10);
  co_await Settle();
  EXPECT_TRUE(tasks.bench.lines.empty()) << "it is answered when it is done";
  co_await tasks.Release();
  EXPECT_EQ(tasks.bench.lines.back().at("result").at("content").at(0).at("text"), "done");
}

CO_TEST(TaskBookTest, UnknownTasksAndOlderRevisionsAreRefused) {
  TaskBench tasks(ctx);

  for (const std::string method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    EXPECT_EQ(FailureIn(co_await tasks.bench.AskModern(method, {{"taskId", "x"}})),
              kRpcInvalidParams);
    EXPECT_EQ(FailureIn(co_await tasks.bench.Ask(method, {{"taskId", "x"}})), kRpcMethodNotFound);
  }
  EXPECT_EQ(FailureIn(co_await tasks.bench.AskModern("tasks/list")), kRpcMethodNotFound);
}

CO_TEST(TaskBookTest, IsSpokenOfOnlyWhereThereAreTasks) {
  TaskBench tasks(ctx);
  McpOfferBench plain(ctx, ToolCatalog({test::Named("hang", test::Hang)}));

  const auto has = co_await tasks.bench.AskModern("server/discover");
  const auto lacks = co_await plain.AskModern("server/discover");

  EXPECT_EQ(has.at("result").at("capabilities").at("extensions"), NeedsTasks().at("extensions"));
  EXPECT_FALSE(lacks.at("result").at("capabilities").as_object().contains("extensions"));
  plain.capabilities = NeedsTasks();
  EXPECT_EQ(FailureIn(co_await plain.AskModern("tasks/get", {{"taskId", "x"}})),
            kRpcMethodNotFound);
}

CO_TEST(TaskBookTest, ATaskIsKeptAsLongAsItSays) {
  TaskBench tasks(ctx);
  const std::string done = co_await tasks.Begin("well");
  co_await tasks.Release();
  tasks.is_released = false;
  const std::string working = co_await tasks.Begin("well");

  tasks.clock.Advance(std::chrono::minutes(59));
  EXPECT_EQ(TextAt(co_await tasks.Look(done), "status"), "completed");
  tasks.clock.Advance(std::chrono::minutes(2));
  for (const std::string& id : {done, working}) {
    EXPECT_EQ(FailureIn(co_await tasks.bench.AskModern("tasks/get", {{"taskId", id}})),
              kRpcInvalidParams);
  }
  EXPECT_FALSE(tasks.bench.server.has_tasks());
  co_await tasks.bench.Stop();
}

CO_TEST(TaskBookTest, EndsWithItsServer) {
  TaskBench tasks(ctx);
  const std::string id = co_await tasks.Begin("well");

  co_await tasks.bench.Stop();

  EXPECT_EQ(TextAt(co_await tasks.Look(id), "status"), "cancelled");
}

CO_TEST(TaskBookTest, WithoutRoomACallIsAnsweredWhenItIsDone) {
  const auto book =
      std::make_shared<TaskBook>(ctx.executor(), ctx.clock(), TaskLimits{.after = {}, .kept = 0});
  ToolCall call{.arguments = {{"a", 1}}, .report = [](const std::string&) {}};
  call.log = [](LogLevel, const json::value&) {};

  const auto answer = co_await TaskBook::Carry(ctx, book, test::Echo, std::move(call));

  EXPECT_EQ(answer->at("content").at(0).at("text"), R"({"a":1})");
  EXPECT_EQ(book->size(), 0U);
}

}  // namespace
}  // namespace falconer::api
