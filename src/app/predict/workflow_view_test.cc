#include "app/predict/workflow_view.h"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

namespace falconer::app {
namespace {

struct WorkflowViewBench {
  std::ostringstream out;
  std::ostringstream err;
  Terminal terminal{out, err, Colour::kOff};
};

TEST(WorkflowViewTest, AListLineTellsWhatMustBeGiven) {
  EXPECT_EQ(WorkflowListLine({{"name", "buy"},
                              {"version", 3},
                              {"steps", 7},
                              {"recordings", 2},
                              {"parameters", {"product", "name"}}}),
            "buy                      v3   7 steps, 2 recordings  needs product, name");
}

TEST(WorkflowViewTest, StepsTellHowSureTheyAreAndWhatIsSpecial) {
  WorkflowViewBench bench;

  PrintWorkflow(bench.terminal,
                {{"name", "buy"},
                 {"version", 3},
                 {"recordings", 3},
                 {"parameters", {{{"name", "who"}, {"about", "field"}, {"default", "Ada"}}}},
                 {"steps",
                  {{{"id", "a"}, {"intent", "open it"}, {"recordings", 3}},
                   {{"id", "b"},
                    {"intent", "press it"},
                    {"recordings", 1},
                    {"healed", {{{"selector", "#b"}}}}}}}},
                {{"steps", {{{"id", "a"}, {"confidence", 0.954}}}}});

  const std::string text = bench.out.str();
  EXPECT_TRUE(text.starts_with("buy v3, of 3 recordings\nparameters\n")) << text;
  EXPECT_TRUE(text.contains("field (or Ada)\n")) << text;
  EXPECT_TRUE(text.contains("1   95 %  open it\n")) << text;
  EXPECT_TRUE(text.contains("press it (in 1 of 3) (healed)\n")) << text;
}

TEST(WorkflowViewTest, WhatAPageSaysCannotPassForALineOfOurs) {
  WorkflowViewBench bench;

  PrintRunStep(bench.terminal, {{"decision", "executed"},
                                {"intent", "click \"x\"\ncompleted buy\x1b[2J"},
                                {"confidence", 0.5},
                                {"source", "first_order"}});

  const std::string text = bench.out.str();
  EXPECT_EQ(std::ranges::count(text, '\n'), 1) << text;
  EXPECT_FALSE(text.contains('\x1b'));
}

TEST(WorkflowViewTest, AnEndThatAsksTellsTheQuestion) {
  WorkflowViewBench bench;

  PrintRunEnd(bench.terminal, {{"workflow", "buy"},
                               {"session", "s"},
                               {"outcome", "asks"},
                               {"reason", "too_close_0.03"},
                               {"question", {{"text", "Which one?"}}}});

  EXPECT_EQ(bench.out.str(), "asks buy in s: too_close_0.03\nWhich one?\n");
}

}  // namespace
}  // namespace falconer::app
