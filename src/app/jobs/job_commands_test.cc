#include "app/jobs/job_commands.h"

#include "agent/jobs/job_files.h"
#include "ledger/reader.h"
#include "store/sqlite_store.h"
#include "tests/support/command_bench.h"
#include "tests/support/run_task.h"

namespace falconer::app {
namespace {

using namespace std::chrono_literals;
using store::JobState;

class JobCommandsTest : public test::CommandBench {
 protected:
  JobCommandsTest()
      : CommandBench("jobs"),
        store_(store::SqliteStore::Open(folder_.path() / "control.db", clock_).value()) {}

  void Put(std::string id, std::string type = "crawl_url") {
    store::NewJob job{.job = {.id = std::move(id),
                              .tenant = TenantId("local"),
                              .type = std::move(type),
                              .input = {}}};
    EXPECT_TRUE(Wait(store_->PutJob(std::move(job))));
  }
  store::JobRecord Claim() {
    const auto claimed = Wait(store_->ClaimJob(
        {.tenant = TenantId("local"), .types = {"crawl_url"}, .hold = {"one", 30s}}));
    return (*claimed)->job;
  }
  store::JobRecord Find(const std::string& id) {
    return Wait(store_->FindJob({.tenant = {}, .id = id})).value();
  }
  template <typename T>
  T Wait(Task<T> task) {
    return test::RunTask(io_, std::move(task));
  }
  std::string ErrorOf(const json::object& answer) {
    return TextAt(answer.at("error").as_object(), "code");
  }

  SystemClock clock_;
  boost::asio::io_context io_;
  std::unique_ptr<store::SqliteStore> store_;
};

TEST_F(JobCommandsTest, ListsByStateAndType) {
  EXPECT_TRUE(Text({"list"}).contains("no jobs to show"));
  Put("job_1");
  Put("job_2", "markdown_only");
  Claim();
  const std::string text = Text({"list"});
  EXPECT_LT(text.find("job_2"), text.find("job_1")) << "newest first: " << text;
  const json::object running = Run({"list", "--state", "running"});
  EXPECT_EQ(running.at("jobs").as_array().size(), 1U);
  EXPECT_EQ(TextAt(running.at("jobs").as_array().at(0).as_object(), "job"), "job_1");
  EXPECT_EQ(Run({"list", "--type", "markdown_only"}).at("jobs").as_array().size(), 1U);
  EXPECT_TRUE(Run({"list", "--tenant", "acme"}).at("jobs").as_array().empty());
  EXPECT_EQ(ErrorOf(Run({"list", "--state", "lost"}, kExitUsage)), "INVALID_ARGUMENT");
  EXPECT_EQ(ErrorOf(Run({"list", "--limit", "0"}, kExitUsage)), "INVALID_ARGUMENT");
}

TEST_F(JobCommandsTest, ShowsOneWithItsNewsAndItsResult) {
  Put("job_1");
  Put("job_2");
  for (const bool is_large : {false, true}) {
    const store::JobRecord job = Claim();
    EXPECT_TRUE(Wait(store_->AddJobNews({job.id, job.epoch, {{"page", 1}}})));
    if (is_large) {
      const agent::JobFiles files(folder_.path() / "jobs");
      const CallContext ctx(io_.get_executor(), clock_);
      EXPECT_TRUE(Wait(files.SaveResult(ctx, job.id, R"({"text":"large"})")));
    }
    EXPECT_TRUE(Wait(store_->EndJob(
        {.id = job.id,
         .epoch = job.epoch,
         .outcome = {.result = is_large ? "" : R"({"text":"small"})", .bytes = 16}})));
  }
  const json::object small = Run({"show", "job_1"}).at("job").as_object();
  EXPECT_EQ(TextAt(small, "status"), "ended");
  EXPECT_EQ(small.at("news").as_array().size(), 1U);
  EXPECT_EQ(TextAt(small.at("result").as_object(), "text"), "small");
  EXPECT_TRUE(Text({"show", "job_2"}).contains(R"(result: {"text":"large"})"));
  EXPECT_EQ(ErrorOf(Run({"show", "job_9"}, kExitFailed)), "NOT_FOUND");
  EXPECT_EQ(ErrorOf(Run({"show", "../control.db"}, kExitUsage)), "INVALID_ARGUMENT");
}

TEST_F(JobCommandsTest, CancelsAndPutsThatOnRecord) {
  Put("job_1");
  Put("job_2");
  Claim();
  EXPECT_TRUE(Text({"cancel", "job_1", "--reason", "wrong site"}).contains("is asked to end"));
  EXPECT_EQ(Find("job_1").cancel_reason, "wrong site");
  EXPECT_TRUE(Text({"cancel", "job_2"}).contains("is cancelled"));
  EXPECT_EQ(Find("job_2").state, JobState::kCancelled);
  EXPECT_TRUE(Text({"cancel", "job_2"}).contains("is cancelled")) << "again changes nothing";
  EXPECT_EQ(ErrorOf(Run({"cancel", "job_9"}, kExitFailed)), "NOT_FOUND");

  auto reader =
      ledger::ChainReader::Open(ledger::ChainPaths::Of(folder_.path(), TenantId("local")).folder);
  ASSERT_TRUE(reader) << reader.error().message();
  std::string told;
  const ledger::RecordFilter filter{.kind = ledger::RecordKind::kOperator};
  for (const auto& record : reader->Query(filter, 1, 100)->records)
    told += std::string(record.view().fields.payload) + "\n";
  EXPECT_TRUE(told.contains("job_cancelled") && told.contains("wrong site")) << told;
}

}  // namespace
}  // namespace falconer::app
