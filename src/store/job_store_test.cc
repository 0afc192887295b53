#include "store/job_store.h"

#include <csignal>
#include <fmt/format.h>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/store_bench.h"

namespace falconer::store {
namespace {

using namespace std::chrono_literals;

const TenantId kTenant("acme");

NewJob JobOf(std::string id, std::string type = "read") {
  return {.job = {.id = std::move(id),
                  .tenant = kTenant,
                  .type = std::move(type),
                  .input = {{"url", "https://example.com/"}}}};
}

JobClaim ClaimBy(std::string owner) {
  return {.tenant = kTenant, .types = {"read", "act"}, .hold = {std::move(owner), 30s}};
}

class JobStoreTest : public test::StoreBench {
 protected:
  template <typename T>
  static T Run(Task<T> task) {
    return test::Finish(std::move(task));
  }
  static void Put(SqliteStore& store, NewJob job) {
    const auto put = Run(store.PutJob(std::move(job)));
    EXPECT_TRUE(put) << put.error().message();
  }
  static std::optional<ClaimedJob> Claim(SqliteStore& store, std::string owner) {
    auto claimed = Run(store.ClaimJob(ClaimBy(std::move(owner))));
    EXPECT_TRUE(claimed) << claimed.error().message();
    return claimed ? *std::move(claimed) : std::nullopt;
  }
  static JobRecord Find(SqliteStore& store, const std::string& id) {
    auto job = Run(store.FindJob({.tenant = kTenant, .id = id}));
    EXPECT_TRUE(job) << job.error().message();
    return job ? *std::move(job) : JobRecord();
  }
  static JobRecord End(SqliteStore& store, const JobRecord& job, JobOutcome outcome) {
    auto ended =
        Run(store.EndJob({.id = job.id, .epoch = job.epoch, .outcome = std::move(outcome)}));
    EXPECT_TRUE(ended) << ended.error().message();
    return ended ? *std::move(ended) : JobRecord();
  }
  // One that has ended with a result of so many bytes.
  void Ended(SqliteStore& store, std::string id, std::uint64_t bytes) {
    Put(store, JobOf(std::move(id)));
    clock_.Advance(1s);
    const auto claimed = Claim(store, "one");
    ASSERT_TRUE(claimed);
    End(store, claimed->job, {.result = "{}", .bytes = bytes});
  }
  template <typename T>
  static ErrorCode CodeOf(Task<Result<T>> task) {
    const auto result = Run(std::move(task));
    EXPECT_FALSE(result);
    return result ? ErrorCode::kInternalError : result.error().code();
  }
};

TEST_F(JobStoreTest, KeepsAWholeJobAlsoAfterReopening) {
  NewJob wish = JobOf("job_1");
  wish.job.workflow = "w";
  wish.job.idempotency_key = "k";
  wish.job.callback = {.url = "https://hooks.example.com/", .secret = "hook:key"};
  {
    const auto store = OpenStore();
    Put(*store, wish);
    const auto claimed = Claim(*store, "one");
    ASSERT_TRUE(claimed);
    EXPECT_FALSE(claimed->was_running);
    EXPECT_EQ(claimed->job.attempts, 1);
    End(*store, claimed->job,
        {.state = JobState::kFailed,
         .problem = Error(ErrorCode::kTimeout, "too slow", {{"place", "here"}}),
         .artifacts = {"art_1"}});
  }
  const auto store = OpenStore();
  const JobRecord job = Find(*store, "job_1");
  EXPECT_EQ(job.state, JobState::kFailed);
  EXPECT_EQ(job.input, wish.job.input);
  EXPECT_EQ(job.workflow, "w");
  EXPECT_EQ(job.created, clock_.WallNow());
  EXPECT_EQ(job.ended, clock_.WallNow());
  ASSERT_TRUE(job.outcome.problem);
  EXPECT_EQ(job.outcome.problem->code(), ErrorCode::kTimeout);
  EXPECT_EQ(TextAt(job.outcome.problem->details(), "place"), "here");
  EXPECT_EQ(job.outcome.artifacts, std::vector<std::string>{"art_1"});
  EXPECT_EQ(job.callback.state, CallbackState::kWaiting) << "due once the job is over";
  EXPECT_EQ(job.callback.secret, "hook:key");
  EXPECT_EQ(CodeOf(store->FindJob({.tenant = TenantId("other"), .id = "job_1"})),
            ErrorCode::kNotFound);
}

TEST_F(JobStoreTest, GivesJobsOutInTheirOrderAndEachOnce) {
  const auto store = OpenStore();
  for (const char* id : {"job_2", "job_1", "job_3"}) Put(*store, JobOf(id));
  Put(*store, JobOf("job_0", "fly"));
  std::string order;
  while (const auto claimed = Claim(*store, "one")) order += claimed->job.id + " ";
  EXPECT_EQ(order, "job_1 job_2 job_3 ") << "what nobody here can do stays";
}

TEST_F(JobStoreTest, TheSameKeyIsTheSameJob) {
  const auto store = OpenStore();
  NewJob wish = JobOf("job_1");
  wish.job.idempotency_key = "k";
  Put(*store, wish);
  wish.job.id = "job_2";
  const auto again = Run(store->PutJob(wish));
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->is_new);
  EXPECT_EQ(again->job.id, "job_1");
  wish.job.input["url"] = "https://example.org/";
  EXPECT_EQ(CodeOf(store->PutJob(wish)), ErrorCode::kAlreadyExists);
  wish.job.tenant = TenantId("other");
  EXPECT_TRUE(Run(store->PutJob(wish))) << "keys are the tenant's own";
}

TEST_F(JobStoreTest, AFullQueueSaysWhenToComeAgain) {
  const auto store = OpenStore();
  NewJob wish = JobOf("job_1");
  wish.max_queued = 1;
  Put(*store, wish);
  wish.job.id = "job_2";
  const auto full = Run(store->PutJob(wish));
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code(), ErrorCode::kQueueFull);
  EXPECT_TRUE(full.error().details().contains("retry_after_ms"));
  ASSERT_TRUE(Claim(*store, "one"));
  EXPECT_TRUE(Run(store->PutJob(wish))) << "one that runs does not wait";
}

TEST_F(JobStoreTest, WhoIsNotHeardOfLosesTheJobAndChangesNothingAfterwards) {
  const auto store = OpenStore();
  Put(*store, JobOf("job_1"));
  const auto first = Claim(*store, "one");
  ASSERT_TRUE(first);
  clock_.Advance(20s);
  ASSERT_EQ(Run(store->BeatJobs({"one", 30s}))->size(), 1U);
  clock_.Advance(20s);
  EXPECT_FALSE(Claim(*store, "two")) << "it was heard of";
  clock_.Advance(11s);
  const auto second = Claim(*store, "two");
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->was_running);
  EXPECT_EQ(second->job.attempts, 2);

  EXPECT_TRUE(Run(store->BeatJobs({"one", 30s}))->empty());
  const JobEnd late{.id = "job_1", .epoch = first->job.epoch, .outcome = {}};
  EXPECT_EQ(CodeOf(store->EndJob(late)), ErrorCode::kStaleEpoch);
  EXPECT_EQ(CodeOf(store->AddJobNews({"job_1", first->job.epoch, {}})), ErrorCode::kStaleEpoch);
  EXPECT_EQ(CodeOf(store->ReleaseJob({"job_1", first->job.epoch})), ErrorCode::kStaleEpoch);
  End(*store, second->job, {.result = "{}", .bytes = 2});
  EXPECT_EQ(Find(*store, "job_1").state, JobState::kEnded);
}

TEST_F(JobStoreTest, WhatAnOwnerThatEndedHeldIsFreeAtOnce) {
  const auto store = OpenStore();
  Put(*store, JobOf("job_1"));
  ASSERT_TRUE(Claim(*store, "one"));
  const auto outlook = Run(store->LookAtJobs(ClaimBy("two")));
  ASSERT_TRUE(outlook);
  EXPECT_EQ(outlook->owners, std::vector<std::string>{"one"});
  EXPECT_EQ(outlook->claimable, 0U);
  ASSERT_TRUE(Run(store->FreeJobsOf("one")));
  EXPECT_EQ(Run(store->LookAtJobs(ClaimBy("two")))->claimable, 1U);
  const auto claimed = Claim(*store, "two");
  ASSERT_TRUE(claimed && claimed->was_running);
}

TEST_F(JobStoreTest, WhatIsLeftWaitsAsIfItNeverBegan) {
  const auto store = OpenStore();
  Put(*store, JobOf("job_1"));
  const auto first = Claim(*store, "one");
  ASSERT_TRUE(first);
  ASSERT_TRUE(Run(store->ReleaseJob({"job_1", first->job.epoch, JobLeft::kQueued})));
  const auto second = Claim(*store, "two");
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->was_running);
  EXPECT_EQ(second->job.attempts, 1);
  ASSERT_TRUE(Run(store->ReleaseJob({"job_1", second->job.epoch, JobLeft::kRunning})));
  const auto third = Claim(*store, "three");
  ASSERT_TRUE(third);
  EXPECT_TRUE(third->was_running) << "to be resumed";
}

TEST_F(JobStoreTest, CancelEndsWhatWasLeftByItsOwner) {
  const auto store = OpenStore();
  Put(*store, JobOf("job_1"));
  const auto claimed = Claim(*store, "one");
  ASSERT_TRUE(claimed);
  clock_.Advance(31s);

  const auto left = Run(store->CancelJob({{kTenant, "job_1"}, "enough"}));

  ASSERT_TRUE(left) << left.error().message();
  EXPECT_EQ(left->state, JobState::kCancelled);
  EXPECT_FALSE(Claim(*store, "two"));
  EXPECT_EQ(CodeOf(store->EndJob({.id = "job_1", .epoch = claimed->job.epoch, .outcome = {}})),
            ErrorCode::kStaleEpoch);
}

TEST_F(JobStoreTest, CancelEndsWhatWaitsAndAsksWhatRuns) {
  const auto store = OpenStore();
  NewJob wish = JobOf("job_1");
  wish.job.callback = {.url = "https://hooks.example.com/", .secret = "hook"};
  Put(*store, wish);
  const auto waits = Run(store->CancelJob({{kTenant, "job_1"}, "no need"}));
  ASSERT_TRUE(waits);
  EXPECT_EQ(waits->state, JobState::kCancelled);
  EXPECT_EQ(waits->outcome.problem->message(), "no need");
  EXPECT_EQ(waits->callback.state, CallbackState::kWaiting);

  Put(*store, JobOf("job_2"));
  const auto claimed = Claim(*store, "one");
  ASSERT_TRUE(claimed);
  EXPECT_EQ(CodeOf(store->DropJob({kTenant, "job_2"})), ErrorCode::kAlreadyExists);
  EXPECT_EQ(Run(store->CancelJob({{kTenant, "job_2"}, "stop"}))->state, JobState::kRunning);
  const auto held = Run(store->BeatJobs({"one", 30s}));
  ASSERT_TRUE(held && held->size() == 1);
  EXPECT_EQ(held->front().cancel_reason, "stop");
  End(*store, claimed->job, {.result = "{}", .bytes = 2});
  EXPECT_EQ(Run(store->CancelJob({{kTenant, "job_2"}, "late"}))->state, JobState::kEnded);
  EXPECT_EQ(CodeOf(store->CancelJob({{kTenant, "job_9"}, ""})), ErrorCode::kNotFound);
}

TEST_F(JobStoreTest, WhatBeginsAtOnceIsItsOwners) {
  const auto store = OpenStore();
  NewJob wish = JobOf("job_1", "act");
  wish.hold = JobHold{"one", 30s};
  wish.max_queued = 0;
  const auto put = Run(store->PutJob(wish));
  ASSERT_TRUE(put) << "it does not wait, so there is room";
  EXPECT_EQ(put->job.state, JobState::kRunning);
  EXPECT_FALSE(Claim(*store, "two"));
  End(*store, put->job, {.result = "{}", .bytes = 2});
}

TEST_F(JobStoreTest, ForgetsBeyondCountBytesAndAgeButNeverTheNewestOrWhatIsToBeTold) {
  const auto store = OpenStore();
  for (const char* id : {"job_1", "job_2", "job_3"}) Ended(*store, id, 100);
  const auto forget = [&](JobKeep keep) {
    keep.tenant = kTenant;
    return Run(store->ForgetJobs(keep)).value_or(std::vector<std::string>{"failed"});
  };
  EXPECT_TRUE(forget({.age = 1h, .count = 3, .bytes = 300}).empty());
  EXPECT_EQ(forget({.age = 1h, .count = 2, .bytes = 300}), std::vector<std::string>{"job_1"});
  EXPECT_EQ(forget({.age = 1h, .count = 9, .bytes = 10}), std::vector<std::string>{"job_2"});
  NewJob told = JobOf("job_4");
  told.job.callback = {.url = "https://hooks.example.com/", .secret = "hook"};
  Put(*store, told);
  ASSERT_TRUE(Run(store->CancelJob({{kTenant, "job_4"}, ""})));
  clock_.Advance(2h);
  EXPECT_EQ(forget({.age = 1h, .count = 9, .bytes = 900}), std::vector<std::string>{"job_3"});
  EXPECT_EQ(Find(*store, "job_4").state, JobState::kCancelled);
}

TEST_F(JobStoreTest, NewsAreNumberedAndTheNewestStay) {
  const auto store = OpenStore();
  Put(*store, JobOf("job_1"));
  const auto claimed = Claim(*store, "one");
  ASSERT_TRUE(claimed);
  for (int i = 1; i <= 300; ++i)
    ASSERT_TRUE(Run(store->AddJobNews({"job_1", claimed->job.epoch, {{"page", i}}})));
  const auto all = Run(store->ListJobNews({.id = "job_1"}));
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 256U);
  EXPECT_EQ(all->front().seq, 45U);
  EXPECT_EQ(all->back().news.at("page"), 300);
  EXPECT_EQ(Run(store->ListJobNews({.id = "job_1", .after = 299}))->size(), 1U);
}

TEST_F(JobStoreTest, ACallbackIsOneProcessesAndEachTryIsNoted) {
  const auto store = OpenStore();
  NewJob wish = JobOf("job_1");
  wish.job.callback = {.url = "https://hooks.example.com/", .secret = "hook"};
  Put(*store, wish);
  EXPECT_FALSE(*Run(store->ClaimCallback(kTenant, 15s))) << "the job is not over";
  ASSERT_TRUE(Run(store->CancelJob({{kTenant, "job_1"}, ""})));
  ASSERT_TRUE(*Run(store->ClaimCallback(kTenant, 15s)));
  EXPECT_FALSE(*Run(store->ClaimCallback(kTenant, 15s))) << "somebody has it";
  clock_.Advance(16s);
  ASSERT_TRUE(*Run(store->ClaimCallback(kTenant, 15s))) << "and was not heard of any more";
  const WallTime next = clock_.WallNow() + 8s;
  const auto noted = Run(store->NoteCallback({.id = "job_1",
                                              .tried = {clock_.WallNow(), 503, "answered 503"},
                                              .state = CallbackState::kWaiting,
                                              .next = next}));
  ASSERT_TRUE(noted);
  EXPECT_EQ(Run(store->LookAtJobs(ClaimBy("one")))->next_callback, next);
  EXPECT_FALSE(*Run(store->ClaimCallback(kTenant, 15s)));
  clock_.Advance(8s);
  ASSERT_TRUE(*Run(store->ClaimCallback(kTenant, 15s)));
  ASSERT_TRUE(Run(store->NoteCallback(
      {.id = "job_1", .tried = {clock_.WallNow(), 200, ""}, .state = CallbackState::kDelivered})));
  const JobRecord job = Find(*store, "job_1");
  ASSERT_EQ(job.callback.tries.size(), 2U);
  EXPECT_EQ(job.callback.tries[0].status, 503);
  EXPECT_EQ(job.callback.tries[0].problem, "answered 503");
  EXPECT_FALSE(Run(store->LookAtJobs(ClaimBy("one")))->next_callback);
}

TEST_F(JobStoreTest, ListsByStateTypeAndPage) {
  const auto store = OpenStore();
  for (const char* id : {"job_1", "job_2", "job_3"}) Put(*store, JobOf(id));
  Put(*store, JobOf("job_4", "act"));
  ASSERT_TRUE(Claim(*store, "one"));
  const auto ids = [&](JobFilter filter) {
    std::string out;
    for (const JobRecord& job : *Run(store->ListJobs(filter))) out += job.id.substr(4);
    return out;
  };
  EXPECT_EQ(ids({.tenant = kTenant}), "4321");
  EXPECT_EQ(ids({.tenant = kTenant, .limit = 2}), "43");
  EXPECT_EQ(ids({.tenant = kTenant, .before = "job_3", .limit = 2}), "21");
  EXPECT_EQ(ids({.tenant = kTenant, .state = JobState::kRunning}), "1");
  EXPECT_EQ(ids({.tenant = kTenant, .type = "act"}), "4");
  EXPECT_EQ(ids({.tenant = TenantId("other")}), "");
}

// For processes that were forked: the loops of the one they come from are not theirs.
template <typename T>
T FinishHere(boost::asio::io_context& io, Task<T> task) {
  std::optional<T> out;
  boost::asio::co_spawn(io, std::move(task), [&out](std::exception_ptr failure, T answer) {
    if (!failure) out.emplace(std::move(answer));
  });
  io.restart();
  io.run();
  return std::move(out).value();
}

// In another process: takes what it can get until nothing is left, and tells how many it got.
[[noreturn]] void ClaimAll(const std::filesystem::path& file, const std::string& owner) {
  SystemClock clock;
  boost::asio::io_context io;
  int own = 0;
  {
    auto store = SqliteStore::Open(file, clock);
    if (!store) ::_exit(255);
    for (;;) {
      const auto claimed = FinishHere(io, (*store)->ClaimJob(ClaimBy(owner)));
      if (!claimed) ::_exit(254);
      if (!*claimed) break;
      ++own;
    }
  }
  ::_exit(own);
}

TEST_F(JobStoreTest, OfTwoProcessesExactlyOneGetsEachJob) {
  constexpr int kCount = 40;
  {
    const auto store = OpenStore();
    for (int i = 0; i < kCount; ++i) Put(*store, JobOf(fmt::format("job_{:03}", i)));
  }
  for (const char* owner : {"one", "two"})
    if (::fork() == 0) ClaimAll(file(), owner);
  int claimed = 0;
  for (int i = 0; i < 2; ++i) {
    int status = 0;
    ASSERT_GT(::wait(&status), 0);
    ASSERT_TRUE(WIFEXITED(status));
    claimed += WEXITSTATUS(status);
  }
  EXPECT_EQ(claimed, kCount);
}

// In another process: puts, takes and ends jobs, and says of each that it was taken on, until it is
// killed.
[[noreturn]] void WorkUntilKilled(const std::filesystem::path& file, int told) {
  SystemClock clock;
  boost::asio::io_context io;
  auto store = SqliteStore::Open(file, clock);
  if (!store) ::_exit(255);
  for (int i = 0;; ++i) {
    if (!FinishHere(io, (*store)->PutJob(JobOf(fmt::format("job_{:06}", i))))) ::_exit(254);
    if (::write(told, &i, sizeof(i)) != sizeof(i)) ::_exit(253);
    const auto claimed = FinishHere(io, (*store)->ClaimJob(ClaimBy("one")));
    if (!claimed || !*claimed) ::_exit(252);
    if (i % 2 == 1) continue;
    (void)FinishHere(
        io, (*store)->EndJob(
                {.id = (*claimed)->job.id, .epoch = (*claimed)->job.epoch, .outcome = {}}));
  }
}

TEST_F(JobStoreTest, AProcessKilledInTheMiddleLosesNoJob) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const pid_t child = ::fork();
  if (child == 0) WorkUntilKilled(file(), pipe[1]);
  ::close(pipe[1]);
  int last = -1;
  while (last < 30) ASSERT_EQ(::read(pipe[0], &last, sizeof(last)), ssize_t{sizeof(last)});
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  int next = 0;
  while (::read(pipe[0], &next, sizeof(next)) == sizeof(next)) last = next;
  ::close(pipe[0]);

  SystemClock clock;
  const auto store = OpenStore(clock);
  const auto jobs = Run(store->ListJobs({.tenant = kTenant, .limit = 1000}));
  ASSERT_TRUE(jobs) << jobs.error().message();
  std::set<std::string> found;
  for (const JobRecord& job : *jobs) found.insert(job.id);
  for (int i = 0; i <= last; ++i)
    EXPECT_TRUE(found.contains(fmt::format("job_{:06}", i))) << i << " was taken on";
  ASSERT_TRUE(Run(store->FreeJobsOf("one")));
  std::size_t open = 0;
  for (const JobRecord& job : *jobs) open += IsOver(job.state) ? 0 : 1;
  std::size_t claimed = 0;
  while (Claim(*store, "two")) ++claimed;
  EXPECT_EQ(claimed, open) << "what was not over can be done by another";
}

}  // namespace
}  // namespace falconer::store
