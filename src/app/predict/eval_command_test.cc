#include "app/predict/eval_command.h"

#include <gtest/gtest.h>

#include "tests/support/command_bench.h"

namespace falconer::app {
namespace {

class EvalCommandTest : public test::CommandBench {
 protected:
  EvalCommandTest() : CommandBench("predict") {}

  std::string Sequences(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += i % 2 == 0 ? "open search add pay\n" : "open login read leave\n";
    return File(text);
  }
  std::string File(std::string_view text) {
    const auto path = folder_.path() / "sequences.txt";
    EXPECT_TRUE(WriteFileAtomic(path, text));
    return path.string();
  }
};

TEST_F(EvalCommandTest, TellsHowWellHeldOutSequencesAreForetold) {
  const json::object answer = Run({"eval", Sequences(100)});

  EXPECT_EQ(answer.at("sequences"), 100);
  EXPECT_EQ(answer.at("symbols"), 7);
  EXPECT_EQ(answer.at("held_out"), 20);
  EXPECT_GT(answer.at("model").at("top1").to_number<double>(), 0.7);
  EXPECT_EQ(answer.at("model").at("thresholds").as_array().size(), 3U);
  EXPECT_GE(answer.at("top1_gain_points").to_number<double>(), 0);
  EXPECT_GE(answer.at("executing").at("precision").to_number<double>(), 0.95);
}

TEST_F(EvalCommandTest, PrintsATableForPeople) {
  const std::string text = Text({"eval", Sequences(100), "--folds", "4"});

  EXPECT_TRUE(text.contains("right (top 1)")) << text;
  EXPECT_TRUE(text.contains("held out 100 sequences of 400 steps")) << text;
  EXPECT_TRUE(text.contains("executing: from")) << text;
}

TEST_F(EvalCommandTest, SaysWhatIsWrongWithAFile) {
  EXPECT_TRUE(Text({"eval", File("")}, kExitUsage).contains("there is no sequence in it"));
  EXPECT_TRUE(Text({"eval", File("1 2\n\xff\n")}, kExitUsage).contains("line 2: not UTF-8"));
  EXPECT_TRUE(Text({"eval", Sequences(3)}, kExitUsage).contains("3 sequences"));
  EXPECT_TRUE(Text({"eval", "/does/not/exist"}, kExitFailed).contains("/does/not/exist"));
}

TEST_F(EvalCommandTest, NamesAnOptionThatMakesNoSense) {
  EXPECT_TRUE(Text({"eval", Sequences(9), "--folds", "1"}, kExitUsage).contains("--folds"));
  EXPECT_TRUE(Text({"eval", Sequences(9), "--seed", "-1"}, kExitUsage).contains("--seed"));
}

}  // namespace
}  // namespace falconer::app
