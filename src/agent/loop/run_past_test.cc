// Runs that are taken up again after a crash.
#include "agent/loop/run_past.h"

#include <gtest/gtest.h>

#include "agent/loop/run_log.h"
#include "tests/support/co_test.h"
#include "tests/support/run_bench.h"

namespace falconer::agent {
namespace {

using test::RunBench;

// The records of a run that ended with what `keep` leaves of them.
Task<std::vector<json::object>> RecordsUpTo(std::string_view last, RunBench* bench) {
  const CallContext ctx(co_await boost::asio::this_coro::executor, bench->clock);
  bench->ThenCall("browser_snapshot");
  bench->ThenCall("browser_click", "d1e7");
  bench->model.ThenSay("Done.");
  co_await bench->Go(ctx);
  std::vector<json::object> records = bench->records->all;
  while (TextAt(records.back(), "event") != last) records.pop_back();
  co_return records;
}

CO_TEST(RunPastTest, NeverRepeatsAWriteWhoseOutcomeIsNotOnRecord) {
  RunBench before;
  const auto records = co_await RecordsUpTo(kRunPlanned, &before);
  const auto past = ReadRunPast(records);
  EXPECT_TRUE(past) << past.error().message();
  if (!past) co_return;
  EXPECT_TRUE(past->ends_planned);
  RunBench bench;
  bench.model.ThenSay("It was clicked already.");

  const RunResult result = co_await bench.Go(ctx, *past);

  EXPECT_EQ(result.stop_reason, StopReason::kCompleted);
  EXPECT_TRUE(bench.box->called().empty()) << "nothing is done again by itself";
  EXPECT_TRUE(bench.Asked(0).contains("outcome unknown")) << bench.Asked(0);
  EXPECT_TRUE(bench.Asked(0).contains("The run was interrupted"));
  EXPECT_EQ(result.trace.at(1).calls.at(0).status, CallStatus::kUnknown);
  EXPECT_EQ(result.summary.times_resumed, 1);
  EXPECT_EQ(result.steps, 2) << "what was done before counts";
}

CO_TEST(RunPastTest, RemembersWhatWasDone) {
  RunBench before;
  auto records = co_await RecordsUpTo(kRunStep, &before);
  records.pop_back();  // the answer
  const auto past = ReadRunPast(records);
  EXPECT_TRUE(past);
  if (!past) co_return;
  EXPECT_FALSE(past->ends_planned);
  EXPECT_EQ(past->task, "Buy tea.");
  EXPECT_EQ(past->steps.size(), 2U);
  EXPECT_FALSE(past->closed);
  RunBench bench;
  bench.config.max_steps = 3;
  bench.ThenCall("browser_look", "x");
  bench.model.ThenSay("never");

  const RunResult result = co_await bench.Go(ctx, *past);

  EXPECT_EQ(result.stop_reason, StopReason::kMaxSteps) << "the limits go on";
  EXPECT_EQ(result.steps, 3);
  EXPECT_TRUE(bench.Asked(0).contains("ok 2")) << "what the click said";
}

CO_TEST(RunPastTest, KnowsHowItEnded) {
  RunBench before;
  const auto records = co_await RecordsUpTo(kRunClosed, &before);

  const auto past = ReadRunPast(records);

  EXPECT_TRUE(past);
  if (!past) co_return;
  EXPECT_EQ(past->closed, StopReason::kCompleted);
  EXPECT_EQ(TextAt(past->result, "response"), "Done.");
}

TEST(RunPastTest, RefusesWhatItCannotRead) {
  EXPECT_EQ(ReadRunPast({}).error().code(), ErrorCode::kNotFound);
  const auto odd = ReadRunPast({{{"run", "r"}, {"event", "run_danced"}}});
  EXPECT_EQ(odd.error().code(), ErrorCode::kLedgerDamaged);
  const auto half = ReadRunPast({{{"run", "r"}, {"event", "run_step"}}});
  EXPECT_EQ(half.error().message(), "the record run_step of the run cannot be read: no step");
  const json::object odd_parts[] = {
      {{"run", "r"}, {"event", "run_opened"}, {"task", "Buy tea."}},
      {{"run", "r"}, {"event", "run_closed"}, {"result", "done"}},
  };
  for (const json::object& record : odd_parts)
    EXPECT_EQ(ReadRunPast({record}).error().code(), ErrorCode::kLedgerDamaged) << record;
}

CO_TEST(RunPastTest, DoesNothingMoreWhenItsStepsWereUsedUp) {
  RunBench before;
  auto records = co_await RecordsUpTo(kRunStep, &before);
  records.pop_back();  // the answer
  RunBench bench;
  bench.config.max_steps = 2;
  bench.ThenCall("browser_click");

  const RunResult result = co_await bench.Go(ctx, ReadRunPast(records).value());

  EXPECT_EQ(result.stop_reason, StopReason::kMaxSteps);
  EXPECT_TRUE(bench.model.asked().empty());
  EXPECT_EQ(bench.records->events(), std::vector<std::string>{"run_closed"});
}

CO_TEST(RunPastTest, TheTimeOfAStepThatWasOnlyPlannedCounts) {
  RunBench before;
  auto records = co_await RecordsUpTo(kRunPlanned, &before);
  records.back().at("step").as_object()["at_ms"] = 7000;

  const auto past = ReadRunPast(records);

  EXPECT_TRUE(past);
  if (past) EXPECT_EQ(past->used, std::chrono::seconds(7));
}

CO_TEST(RunPastTest, ARunThatWasTakenUpHasNotEnded) {
  RunBench before;
  auto records = co_await RecordsUpTo(kRunClosed, &before);
  records.push_back(records.front());

  const auto past = ReadRunPast(records);

  EXPECT_TRUE(past);
  if (!past) co_return;
  EXPECT_FALSE(past->closed);
  EXPECT_TRUE(past->result.empty()) << "what it came to before is not its result";
  EXPECT_EQ(past->times_resumed, 1);
}

}  // namespace
}  // namespace falconer::agent
