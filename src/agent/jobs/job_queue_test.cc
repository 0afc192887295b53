#include "agent/jobs/job_queue.h"

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "base/file.h"
#include "store/sqlite_store.h"
#include "tests/support/captured_log.h"
#include "tests/support/co_test.h"
#include "tests/support/failing_jobs.h"

namespace falconer::agent {
namespace {

using namespace std::chrono_literals;
using store::JobState;

// A folder that outlives the programs that work in it.
struct JobHouse {
  JobHouse() : folder(TempDir::Create("falconer-jobs-test-").value()) {}
  std::unique_ptr<store::SqliteStore> Open() {
    auto store = store::SqliteStore::Open(folder.path() / "control.db", clock);
    EXPECT_TRUE(store) << store.error().message();
    return *std::move(store);
  }

  TempDir folder;
  FakeClock clock;
  // How often each type was begun, and resumed.
  std::map<std::string, int> began;
  std::map<std::string, int> resumed;
};

Task<Result<json::object>> WaitForEver(CallContext ctx) {
  Alarm never(ctx.executor(), ctx.clock());
  CO_TRY(co_await ctx.Wait(&never, "nothing"));
  co_return json::object();
}

Task<Result<json::object>> Answer(JobInput input) {
  co_return json::object{{"echo", input.input}, {"attempt", input.attempt}};
}

// Two pages, one after the other; between them it waits when the input says so.
Task<Result<json::object>> ReadPages(JobHouse* house, CallContext ctx, JobInput input,
                                     JobNews news) {
  json::array pages;
  for (const std::string name : {"one", "two"}) {
    if (name == "two" && house->began["pages"] == 1) CO_TRY(co_await WaitForEver(ctx));
    if (input.parts->known().contains(name)) {
      pages.push_back(json::string("kept " + name));
      continue;
    }
    CO_TRY(co_await input.parts->Keep(ctx, name, {{"page", name}}));
    news({{"page", name}});
    pages.push_back(json::string(name));
  }
  co_return json::object{{"pages", std::move(pages)}};
}

Task<Result<json::object>> Refuse() {
  co_return Fail(ErrorCode::kSecurityDomainBlock, "not there");
}

Task<Result<json::object>> Large() {
  co_return json::object{{"text", std::string(200'000, 'x')},
                         {"artifacts", {"art_1", json::object{{"id", "art_2"}}}}};
}

// A program at work in the house.
class JobProgram {
 public:
  JobProgram(JobHouse& house, const CallContext& real, std::string owner, JobLimits limits = {},
             std::shared_ptr<const CallbackDesk> callbacks = nullptr)
      : house_(house),
        store(house.Open()),
        failing(*store),
        ctx(real.executor(), house.clock),
        queue(real.executor(), house.clock, limits) {
    Offer("echo", [](CallContext, JobInput input, JobNews) { return Answer(std::move(input)); });
    Offer("wait", [](CallContext with, JobInput, JobNews) { return WaitForEver(std::move(with)); });
    Offer("pages", [&house](CallContext with, JobInput input, JobNews news) {
      return ReadPages(&house, std::move(with), std::move(input), std::move(news));
    });
    Offer("refuse", [](CallContext, JobInput, JobNews) { return Refuse(); });
    Offer("large", [](CallContext, JobInput, JobNews) { return Large(); });
    queue.Offer({.name = "act"});
    queue.Offer(
        {.name = "buy", .run = Counted(house.began, "buy", [](CallContext with, JobInput, JobNews) {
                          return WaitForEver(std::move(with));
                        })});
    queue.Offer(
        {.name = "agent",
         .check = CheckTask,
         .run = Counted(
             house.began, "agent",
             [](CallContext with, JobInput, JobNews) { return WaitForEver(std::move(with)); }),
         .resume = Counted(house.resumed, "agent", [](CallContext, JobInput input, JobNews) {
           return Answer(std::move(input));
         })});
    queue.Start({.store = &failing,
                 .tenant = TenantId("acme"),
                 .folder = house.folder.path() / "jobs",
                 .owner = owner,
                 .has_ended = [](const std::string& other) { return other.starts_with("dead"); },
                 .callbacks = std::move(callbacks)});
  }

  Task<std::string> Sent(std::string type, json::object input = {}) {
    const auto job = co_await queue.Submit({.type = std::move(type), .input = std::move(input)});
    EXPECT_TRUE(job) << job.error().message();
    co_return job ? job->id : "";
  }
  Task<store::JobRecord> Over(std::string id) {
    const auto view = co_await queue.Await(ctx, std::move(id));
    EXPECT_TRUE(view) << view.error().message();
    co_return view ? view->job : store::JobRecord();
  }
  // Until it runs and has told so much.
  Task<void> Runs(std::string id, std::size_t news = 0) {
    JobSeen seen{.after = 0, .state = JobState::kQueued};
    for (;;) {
      const auto view = co_await queue.Follow(ctx, id, seen);
      EXPECT_TRUE(view);
      if (!view || (view->job.state == JobState::kRunning && view->news.size() >= news)) break;
      seen.state = view->job.state;
      if (!view->news.empty())
        co_await boost::asio::post(ctx.executor(), boost::asio::use_awaitable);
    }
  }
  Task<void> Stop() { return queue.Stop(Error(ErrorCode::kCancelled, "the server ends")); }

 private:
  static Result<void> CheckTask(const json::object& input) {
    if (input.contains("task")) return {};
    return Fail(ErrorCode::kInvalidArgument, "input.task: is missing");
  }
  static JobHandler Counted(std::map<std::string, int>& counts, std::string name,
                            JobHandler handler) {
    return [&counts, name, handler](CallContext with, JobInput input, JobNews news) {
      ++counts[name];
      return handler(std::move(with), std::move(input), std::move(news));
    };
  }
  void Offer(std::string name, JobHandler handler) {
    queue.Offer({.name = name, .run = Counted(house_.began, name, handler), .only_reads = true});
  }

  JobHouse& house_;

 public:
  std::unique_ptr<store::SqliteStore> store;
  test::FailingJobs failing;
  CallContext ctx;
  JobQueue queue;
};

// What a program that was killed leaves: a job that somebody who has ended holds.
Task<std::string> LeftBehind(JobHouse* house, std::string type, std::string id = "job_1") {
  const auto store = house->Open();
  store::NewJob job{.job = {.id = id,
                            .tenant = TenantId("acme"),
                            .type = std::move(type),
                            .input = {{"task", "x"}},
                            .workflow = "shop"},
                    .hold = store::JobHold{"dead one", 30s}};
  EXPECT_TRUE(co_await store->PutJob(std::move(job)));
  co_return id;
}

CO_TEST(JobQueueTest, AJobIsDoneAndItsResultKept) {
  JobHouse house;
  JobProgram program(house, ctx, "one");
  const std::string id = co_await program.Sent("echo", {{"a", 1}});
  const auto job = co_await program.Over(id);
  EXPECT_EQ(job.state, JobState::kEnded);
  const auto result = co_await program.queue.ResultOf(program.ctx, job);
  EXPECT_EQ(result.value_or(""), R"({"echo":{"a":1},"attempt":1})");
  const std::string refused = co_await program.Sent("refuse");
  const auto failed = co_await program.Over(refused);
  EXPECT_EQ(failed.state, JobState::kFailed);
  EXPECT_TRUE(failed.outcome.problem &&
              failed.outcome.problem->code() == ErrorCode::kSecurityDomainBlock);
  co_await program.Stop();
}

CO_TEST(JobQueueTest, ALargeResultIsInAPrivateFileThatGoesWithTheJob) {
  JobHouse house;
  JobProgram program(house, ctx, "one");
  const std::string id = co_await program.Sent("large");
  const auto job = co_await program.Over(id);
  EXPECT_EQ(job.outcome.result, "");
  EXPECT_GT(job.outcome.bytes, 200'000U);
  EXPECT_EQ(job.outcome.artifacts, (std::vector<std::string>{"art_1", "art_2"}));
  const auto folder = house.folder.path() / "jobs" / id;
  EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
  const auto result = co_await program.queue.ResultOf(program.ctx, job);
  EXPECT_EQ(result.value_or("").size(), job.outcome.bytes);
  EXPECT_TRUE(co_await program.queue.Remove(id));
  EXPECT_FALSE(std::filesystem::exists(folder));
  const auto gone = co_await program.queue.Look(id);
  EXPECT_TRUE(!gone && gone.error().code() == ErrorCode::kNotFound);
  co_await program.Stop();
}

CO_TEST(JobQueueTest, RunsNoMoreThanItMayAndTakesNoMoreThanItHasRoomFor) {
  JobHouse house;
  JobProgram program(house, ctx, "one", {.at_once = 1, .max_queued = 1});
  const std::string first = co_await program.Sent("wait");
  co_await program.Runs(first);
  const std::string second = co_await program.Sent("echo");
  const auto full = co_await program.queue.Submit({.type = "echo", .input = {}});
  EXPECT_TRUE(!full && full.error().code() == ErrorCode::kQueueFull);
  EXPECT_EQ((co_await program.queue.Look(second))->job.state, JobState::kQueued);
  EXPECT_TRUE(co_await program.queue.Cancel(first, "enough"));
  const auto cancelled = co_await program.Over(first);
  EXPECT_EQ(cancelled.state, JobState::kCancelled);
  EXPECT_EQ(cancelled.outcome.problem->message(), "enough");
  EXPECT_EQ((co_await program.Over(second)).state, JobState::kEnded) << "its turn has come";
  co_await program.Stop();
}

CO_TEST(JobQueueTest, OneThatWaitsIsCancelledAtOnce) {
  JobHouse house;
  JobProgram program(house, ctx, "one", {.at_once = 1});
  const std::string first = co_await program.Sent("wait");
  co_await program.Runs(first);
  const std::string second = co_await program.Sent("echo");
  EXPECT_TRUE(co_await program.queue.Remove(second));
  EXPECT_EQ((co_await program.queue.Look(second))->job.state, JobState::kCancelled);
  EXPECT_EQ(house.began["echo"], 0);
  co_await program.Stop();
}

CO_TEST(JobQueueTest, WhatMakesNoSenseIsNotTaken) {
  JobHouse house;
  JobProgram program(house, ctx, "one");
  const auto code = [](const Result<store::JobRecord>& job) {
    return job ? ErrorCode::kInternalError : job.error().code();
  };
  EXPECT_EQ(code(co_await program.queue.Submit({.type = "agent", .input = {}})),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(co_await program.queue.Submit({.type = "fly", .input = {}})),
            ErrorCode::kToolUnavailable);
  EXPECT_EQ(code(co_await program.queue.Submit({.type = "act", .input = {}})),
            ErrorCode::kToolUnavailable);
  EXPECT_EQ(code(co_await program.queue.Submit(
                {.type = "echo", .input = {{"a", std::string(2 << 20, 'x')}}})),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(co_await program.queue.Submit(
                {.type = "echo", .input = {}, .callback = {.url = "https://a.test/"}})),
            ErrorCode::kUnsupported);
  co_await program.Stop();
  EXPECT_EQ(code(co_await program.queue.Submit({.type = "echo", .input = {}})),
            ErrorCode::kToolUnavailable);
}

CO_TEST(JobQueueTest, WhatOnlyReadsGoesOnAfterAStopWithoutReadingTwice) {
  JobHouse house;
  std::string id;
  {
    JobProgram program(house, ctx, "one");
    id = co_await program.Sent("pages");
    co_await program.Runs(id, 1);
    co_await program.Stop();
  }
  JobProgram program(house, ctx, "two");
  const auto job = co_await program.Over(id);
  EXPECT_EQ(job.state, JobState::kEnded);
  EXPECT_EQ(job.outcome.result, R"({"pages":["kept one","two"]})");
  EXPECT_EQ(job.attempts, 1) << "a regular end is no failed attempt";
  const auto view = co_await program.queue.Look(id);
  EXPECT_TRUE(view && view->news.size() == 2);
  EXPECT_TRUE(std::filesystem::is_empty(house.folder.path() / "jobs" / id)) << "parts are gone";
  co_await program.Stop();
}

CO_TEST(JobQueueTest, WhatOnlyReadsIsBegunAgainAfterAKillButNotForEver) {
  JobHouse house;
  const std::string id = co_await LeftBehind(&house, "echo");
  {
    JobProgram program(house, ctx, "one");
    const auto job = co_await program.Over(id);
    EXPECT_EQ(job.outcome.result, R"({"echo":{"task":"x"},"attempt":2})");
    co_await program.Stop();
  }
  const std::string hopeless = co_await LeftBehind(&house, "echo", "job_2");
  JobProgram program(house, ctx, "two", {.attempts = 1});
  const auto job = co_await program.Over(hopeless);
  EXPECT_EQ(job.state, JobState::kFailed);
  EXPECT_EQ(job.outcome.problem->code(), ErrorCode::kRetryExhausted);
  EXPECT_EQ(house.began["echo"], 1);
  co_await program.Stop();
}

CO_TEST(JobQueueTest, WhatActsIsNeverBegunAgainBlindly) {
  JobHouse house;
  const std::string acted = co_await LeftBehind(&house, "act", "job_1");
  const std::string bought = co_await LeftBehind(&house, "buy", "job_2");
  JobProgram program(house, ctx, "one");
  for (const std::string& id : {acted, bought}) {
    const auto job = co_await program.Over(id);
    EXPECT_EQ(job.state, JobState::kFailed);
    EXPECT_EQ(job.outcome.problem->code(), ErrorCode::kOutcomeUnknown);
    EXPECT_EQ(TextAt(job.outcome.problem->details(), "records"),
              "/v1/ledger/records?workflow=shop");
  }
  EXPECT_EQ(house.began["buy"], 0);
  co_await program.Stop();
}

CO_TEST(JobQueueTest, WhatCanBeResumedIs) {
  JobHouse house;
  const std::string left = co_await LeftBehind(&house, "agent");
  std::string stopped;
  {
    JobProgram program(house, ctx, "one");
    EXPECT_EQ((co_await program.Over(left)).state, JobState::kEnded);
    EXPECT_EQ(house.resumed["agent"], 1);
    EXPECT_EQ(house.began["agent"], 0);
    stopped = co_await program.Sent("agent", {{"task", "y"}});
    co_await program.Runs(stopped);
    co_await program.Stop();
  }
  JobProgram program(house, ctx, "two");
  EXPECT_EQ((co_await program.Over(stopped)).state, JobState::kEnded);
  EXPECT_EQ(house.resumed["agent"], 2);
  EXPECT_EQ(house.began["agent"], 1);
  co_await program.Stop();
}

CO_TEST(JobQueueTest, OneThatWasToEndWhenItsProgramDiedIsNotBegunAgain) {
  JobHouse house;
  const std::string id = co_await LeftBehind(&house, "echo");
  {
    const auto store = house.Open();
    EXPECT_TRUE(co_await store->CancelJob({{TenantId("acme"), id}, "no need"}));
  }
  JobProgram program(house, ctx, "one");
  EXPECT_EQ((co_await program.Over(id)).state, JobState::kCancelled);
  EXPECT_EQ(house.began["echo"], 0);
  co_await program.Stop();
}

CO_TEST(JobQueueTest, AnotherProcessMayCancelAndOneThatLostAJobLetsGo) {
  const test::CapturedLog log;
  JobHouse house;
  JobProgram program(house, ctx, "one");
  const std::string first = co_await program.Sent("wait");
  const std::string second = co_await program.Sent("wait");
  co_await program.Runs(first);
  co_await program.Runs(second);
  const auto other = house.Open();
  // Another one believes that this one is gone.
  std::string lost;
  while (lost.empty()) {
    EXPECT_TRUE(co_await other->FreeJobsOf("one"));
    const auto taken = co_await other->ClaimJob(
        {.tenant = TenantId("acme"), .types = {"wait"}, .hold = {"two", 30s}});
    if (taken && *taken) lost = (*taken)->job.id;
  }
  const std::string kept = lost == first ? second : first;
  EXPECT_TRUE(co_await other->CancelJob({{TenantId("acme"), kept}, "by another"}));
  house.clock.Advance(2s);
  EXPECT_EQ((co_await program.Over(kept)).outcome.problem->message(), "by another");
  co_await program.Stop();
  const auto left = co_await other->FindJob({TenantId("acme"), lost});
  EXPECT_EQ(left->owner, "two") << "what comes of it here counts for nothing";
  EXPECT_EQ(left->state, JobState::kRunning);
}

CO_TEST(JobQueueTest, WorkThatBeginsAtOnceIsListedWithTheOthers) {
  JobHouse house;
  JobProgram program(house, ctx, "one", {.begun_at_once = 1});
  const auto work = [](CallContext with, JobNews news) {
    news({{"step", 1}});
    return WaitForEver(std::move(with));
  };
  const auto begun =
      co_await program.queue.Begin({.type = "act", .input = {}, .workflow = "shop"}, work);
  EXPECT_TRUE(begun && begun->state == JobState::kRunning);
  const auto beyond = co_await program.queue.Begin({.type = "act", .input = {}}, work);
  EXPECT_TRUE(!beyond && beyond.error().code() == ErrorCode::kQueueFull);
  const auto list = co_await program.queue.List({.tenant = {}});
  EXPECT_TRUE(list && list->size() == 1 && list->front().id == begun->id);
  EXPECT_TRUE(co_await program.queue.Cancel(begun->id, "enough"));
  EXPECT_EQ((co_await program.Over(begun->id)).state, JobState::kCancelled);
  co_await program.Stop();
}

CO_TEST(JobQueueTest, TheSameKeyIsTheSameJob) {
  JobHouse house;
  JobProgram program(house, ctx, "one");
  const JobWish wish{.type = "echo", .input = {{"a", 1}}, .idempotency_key = "k"};
  const auto first = co_await program.queue.Submit(wish);
  const auto again = co_await program.queue.Submit(wish);
  EXPECT_TRUE(first && again && first->id == again->id);
  co_await program.Over(first->id);
  EXPECT_EQ(house.began["echo"], 1);
  co_await program.Stop();
}

CO_TEST(JobQueueTest, WhatIsTakenWhileItStopsWaitsForTheNextStart) {
  JobHouse house;
  JobProgram program(house, ctx, "one");
  TaskScope stops(ctx.executor());
  program.failing.on_claim = [&] { stops.Spawn("stop", program.Stop()); };

  const std::string id = co_await program.Sent("buy");
  co_await program.queue.Await(program.ctx, id);
  co_await stops.Join();
  const auto left = co_await program.store->FindJob({TenantId("acme"), id});

  EXPECT_TRUE(left && left->state == JobState::kQueued && left->attempts == 0);
  EXPECT_EQ(house.began["buy"], 0);
}

CO_TEST(JobQueueTest, TheSameKeyBeginsWorkOnce) {
  JobHouse house;
  JobProgram program(house, ctx, "one", {.begun_at_once = 2});
  int begun = 0;
  const auto work = [&begun](CallContext with, JobNews) {
    ++begun;
    return WaitForEver(std::move(with));
  };
  const JobWish wish{.type = "act", .input = {}, .idempotency_key = "k"};

  const auto first = co_await program.queue.Begin(wish, work);
  const auto again = co_await program.queue.Begin(wish, work);
  const auto other = co_await program.queue.Begin({.type = "act", .input = {}}, work);

  EXPECT_TRUE(first && again && first->id == again->id);
  EXPECT_TRUE(other) << "what was answered takes no place: " << other.error().message();
  co_await program.Stop();
  EXPECT_EQ(begun, 2);
}

Task<Result<policy::SecretText>> GiveHookKey() {
  co_return policy::SecretText("key");
}

Task<Result<net::HttpReply>> AnswerCallback(std::vector<int>* answers,
                                            std::vector<std::string>* heard, net::HttpCall call) {
  heard->push_back(call.body);
  const int status = answers->empty() ? 200 : answers->front();
  if (!answers->empty()) answers->erase(answers->begin());
  co_return net::HttpReply{.status = status, .headers = {}, .body = {}};
}

CO_TEST(JobQueueTest, ACallbackGoesOnAfterARestart) {
  JobHouse house;
  std::vector<int> answers = {503};
  std::vector<std::string> heard;
  const auto desk = std::make_shared<CallbackDesk>(
      [](CallContext, policy::SecretReference, const std::string&) { return GiveHookKey(); },
      [&](CallContext, net::HttpCall call) {
        return AnswerCallback(&answers, &heard, std::move(call));
      },
      CallbackRules{.key = "hook"});
  std::string id;
  // Until it stands so.
  const auto until = [](JobProgram* program, std::string job, store::CallbackState state,
                        std::size_t tries) -> Task<store::JobCallback> {
    for (;;) {
      const auto view = co_await program->queue.Look(job);
      const store::JobCallback callback = view->job.callback;
      if (callback.state == state && callback.tries.size() == tries) co_return callback;
      co_await boost::asio::post(program->ctx.executor(), boost::asio::use_awaitable);
    }
  };
  {
    JobProgram program(house, ctx, "one", {}, desk);
    const auto job = co_await program.queue.Submit(
        {.type = "echo", .input = {}, .callback = {.url = "https://hooks.test/"}});
    EXPECT_TRUE(job) << job.error().message();
    id = job->id;
    co_await until(&program, id, store::CallbackState::kWaiting, 1);
    co_await program.Stop();
  }
  EXPECT_EQ(heard.size(), 1U);
  house.clock.Advance(10s);
  JobProgram program(house, ctx, "two", {}, desk);
  const auto callback = co_await until(&program, id, store::CallbackState::kDelivered, 2);
  EXPECT_EQ(callback.tries.at(0).status, 503);
  EXPECT_EQ(callback.tries.at(1).status, 200);
  EXPECT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard.at(0), heard.at(1)) << "the same news";
  co_await program.Stop();
}

CO_TEST(JobQueueTest, AResultThatCannotBeKeptIsAFailureAndNotALoss) {
  JobHouse house;
  // A file where the folder of results should be.
  EXPECT_TRUE(WriteFileAtomic(house.folder.path() / "jobs", "in the way"));
  JobProgram program(house, ctx, "one");
  const auto job = co_await program.Over(co_await program.Sent("large"));
  EXPECT_EQ(job.state, JobState::kFailed);
  EXPECT_EQ(job.outcome.problem->code(), ErrorCode::kIoError);
  co_await program.Stop();
}

CO_TEST(JobQueueTest, AStoreThatFailsTakesNothingOnAndLosesNothing) {
  const test::CapturedLog log;
  JobHouse house;
  JobProgram program(house, ctx, "one");
  program.failing.puts = 1;
  const auto refused = co_await program.queue.Submit({.type = "echo", .input = {}});
  EXPECT_TRUE(!refused && refused.error().code() == ErrorCode::kIoError);
  EXPECT_TRUE((co_await program.queue.List({.tenant = {}}))->empty()) << "nothing half done";

  program.failing.ends = 2;
  const std::string id = co_await program.Sent("echo");
  while (program.failing.ends > 0) {
    co_await boost::asio::post(ctx.executor(), boost::asio::use_awaitable);
    house.clock.Advance(1s);
  }
  while (!IsOver((co_await program.queue.Look(id))->job.state)) house.clock.Advance(1s);
  EXPECT_EQ((co_await program.queue.Look(id))->job.state, JobState::kEnded);
  EXPECT_EQ(house.began["echo"], 1) << "it was done once, and noted when that could be";
  co_await program.Stop();
}

CO_TEST(JobQueueTest, WhatIsOverAndTooOldIsForgottenWithItsFiles) {
  JobHouse house;
  JobProgram program(house, ctx, "one", {.keep = 1h});
  const std::string id = co_await program.Sent("large");
  co_await program.Over(id);
  house.clock.Advance(2h);
  // Whatever ends next makes it look.
  co_await program.Over(co_await program.Sent("echo"));
  const auto folder = house.folder.path() / "jobs" / id;
  while (std::filesystem::exists(folder))
    co_await boost::asio::post(ctx.executor(), boost::asio::use_awaitable);
  const auto gone = co_await program.queue.Look(id);
  EXPECT_TRUE(!gone && gone.error().code() == ErrorCode::kNotFound);
  co_await program.Stop();
}

}  // namespace
}  // namespace falconer::agent
