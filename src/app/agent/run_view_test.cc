#include "app/agent/run_view.h"

#include <sstream>

#include <gtest/gtest.h>

namespace falconer::app {
namespace {

struct ViewBench {
  std::ostringstream out;
  std::ostringstream err;
  Terminal terminal{out, err, Colour::kOff};
  RunView view{terminal};
};

TEST(RunViewTest, TellsStepsAsPeopleReadThem) {
  ViewBench bench;

  bench.view.Tell({"text", {{"text", "I open "}}});
  bench.view.Tell({"text", {{"text", "it."}}});
  bench.view.Tell(
      {"usage", {{"step", 1}, {"provider", "near"}, {"tokens", 120}, {"cost_micros", 12'300}}});
  bench.view.Tell(
      {"tool_started", {{"tool", "browser_navigate"}, {"arguments", {{"url", "https://a/"}}}}});
  bench.view.Tell({"tool_ended", {{"status", "ok"}, {"ms", 12}}});

  EXPECT_EQ(bench.out.str(),
            "  “I open it.”\nstep 1  near  120 tokens so far, cost 0.0123\n"
            "  browser_navigate https://a/\n    ok  12 ms\n");
}

TEST(RunViewTest, ForgetsWhatNoLongerCounts) {
  ViewBench bench;

  bench.view.Tell({"text", {{"text", "half an ans"}}});
  bench.view.Tell({"restart", {{"provider", "far"}}});
  bench.view.Tell({"usage", {{"step", 1}, {"provider", "far"}}});

  EXPECT_FALSE(bench.out.str().contains("half"));
}

TEST(RunViewTest, NothingThatIsToldMovesTheCursor) {
  ViewBench bench;

  bench.view.Tell(
      {"tool_ended", {{"status", "error"}, {"error_code", "STALE_REF"}, {"error", "a\x1b[2J\nb"}}});

  EXPECT_EQ(bench.out.str(), "    error STALE_REF: a\\u{1b}[2J\\u{a}b  0 ms\n");
}

TEST(RunViewTest, EndsWithTheReasonAndTheCost) {
  ViewBench bench;

  bench.view.Ended(
      {{"success", false},
       {"stop_reason", "max_steps"},
       {"steps", 12},
       {"wall_time_ms", 2500},
       {"response", ""},
       {"error", {{"code", "BUDGET_EXCEEDED"}, {"message", "no steps left"}}},
       {"summary",
        {{"total", {{"usage", {{"input", 900}, {"output", 30}}}, {"cost_micros", 1'500'000}}}}}});

  EXPECT_EQ(bench.out.str(),
            "max_steps after 12 steps, 2.5 s, 900 tokens in, 30 out, cost 1.5000\n");
  EXPECT_EQ(bench.err.str(), "BUDGET_EXCEEDED: no steps left\n");
}

}  // namespace
}  // namespace falconer::app
