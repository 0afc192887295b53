#include "predict/eval/evaluation.h"

#include <random>

#include <gtest/gtest.h>

#include "base/file.h"

namespace falconer::predict {
namespace {

SequenceSet ParsedSet(std::string_view text) {
  auto set = ParseSequences(text);
  EXPECT_TRUE(set) << set.error().message();
  return set.value_or(SequenceSet());
}

std::string WhyRefused(std::string_view text) {
  const auto set = ParseSequences(text);
  EXPECT_FALSE(set);
  if (set) return "";
  EXPECT_EQ(set.error().code(), ErrorCode::kInvalidArgument);
  return set.error().message();
}

// Of ten kinds of tasks, each with a step that is a matter of taste.
SequenceSet Tasks(std::size_t count) {
  std::mt19937_64 chance(3);
  SequenceSet set;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t task = (chance() % 10 + 1) * 100;
    set.sequences.push_back({task, task + 1, task + 2 + chance() % 3, task + 8, task + 9});
    set.steps += 5;
  }
  return set;
}

TEST(SequenceFileTest, ReadsNumbersAndWordsWithBlanksBetweenThem) {
  const SequenceSet set = ParsedSet("1 2  3 \r\n\n\thome cart\u00e9 home\n2");

  ASSERT_EQ(set.sequences.size(), 3U);
  EXPECT_EQ(set.sequences[0].size(), 3U);
  EXPECT_EQ(set.sequences[1][0], set.sequences[1][2]);
  EXPECT_EQ(set.sequences[0][1], set.sequences[2][0]) << "the same word everywhere";
  EXPECT_EQ(set.steps, 7U);
  EXPECT_EQ(set.symbols, 5U);
}

TEST(SequenceFileTest, RefusesWhatIsNoTextAndNamesTheLine) {
  EXPECT_EQ(WhyRefused("1 2\n3 \xff 4\n"), "line 2: not UTF-8");
  EXPECT_EQ(WhyRefused(std::string_view("1 2\n\n3 \0 4", 10)), "line 3: holds a control character");
}

TEST(SequenceFileTest, RefusesATextWithoutSequences) {
  EXPECT_EQ(WhyRefused(""), "there is no sequence in it");
  EXPECT_EQ(WhyRefused("\n \r\n\t\n"), "there is no sequence in it");
}

TEST(SequenceFileTest, RefusesLinesThatAreTooLong) {
  EXPECT_EQ(WhyRefused("1\n" + std::string(1 << 21, 'x')), "line 2: longer than 1048576 bytes");
  std::string steps;
  for (int i = 0; i <= 100'000; ++i) steps += "7 ";
  EXPECT_EQ(WhyRefused(steps), "line 1: more than 100000 steps");
}

TEST(SequenceFileTest, NamesTheFile) {
  const TempDir folder = TempDir::Create("falconer-eval-test-").value();
  const auto path = folder.path() / "empty.txt";
  ASSERT_TRUE(WriteFileAtomic(path, ""));

  EXPECT_TRUE(LoadSequences(path).error().message().contains("empty.txt: there is no sequence"));
  EXPECT_EQ(LoadSequences(folder.path() / "none").error().code(), ErrorCode::kNotFound);
}

TEST(ScoreTest, CountsWhatWasRightAndHowSureItWas) {
  const Checked checked[] = {
      {0.9F, true, true}, {0.9F, true, true}, {0.6F, false, true}, {0, false, false}};
  const double thresholds[] = {0.5, 0.8};

  const Score score = ScoreOf(checked, thresholds);

  EXPECT_DOUBLE_EQ(score.top1, 0.5);
  EXPECT_DOUBLE_EQ(score.top3, 0.75);
  EXPECT_NEAR(score.calibration_error, (0.2 + 0.6) / 4, 1e-6);
  EXPECT_DOUBLE_EQ(score.thresholds[0].coverage, 0.75);
  EXPECT_NEAR(score.thresholds[0].precision, 2.0 / 3, 1e-9);
  EXPECT_DOUBLE_EQ(score.thresholds[1].coverage, 0.5);
  EXPECT_DOUBLE_EQ(score.thresholds[1].precision, 1);
}

TEST(ScoreTest, FindsTheLowestThresholdThatIsGoodEnough) {
  std::vector<Checked> checked;
  for (int i = 0; i < 400; ++i) checked.push_back({0.9F, true, true});
  for (int i = 0; i < 400; ++i) checked.push_back({0.8F, i % 20 != 0, true});
  for (int i = 0; i < 400; ++i) checked.push_back({0.5F, i % 2 == 0, true});

  EXPECT_FLOAT_EQ(static_cast<float>(ThresholdFor(checked, 0.95).value_or(0)), 0.8F);
  EXPECT_FLOAT_EQ(static_cast<float>(ThresholdFor(checked, 0.5).value_or(0)), 0.5F);
}

TEST(ScoreTest, FewHitsAreNoReasonForAThreshold) {
  const std::vector<Checked> lucky(10, Checked{0.9F, true, true});
  const std::vector<Checked> wrong(100, Checked{0.9F, false, false});

  EXPECT_FALSE(ThresholdFor(lucky, 0.95));
  EXPECT_FALSE(ThresholdFor(wrong, 0.95));
  EXPECT_FALSE(ThresholdFor({}, 0.95));
}

TEST(EvaluationTest, ForetellsWhatRepeatsAndIsNoWorseThanCountsAlone) {
  const auto evaluation = Evaluate(Tasks(600));

  ASSERT_TRUE(evaluation) << evaluation.error().message();
  EXPECT_EQ(evaluation->held_out, 120U);
  EXPECT_EQ(evaluation->model.steps, 600U);
  EXPECT_GT(evaluation->model.top1, 0.62)
      << "all but where it begins and what is a matter of taste";
  EXPECT_GE(evaluation->model.top1, evaluation->baseline.top1);
  EXPECT_LT(evaluation->model.calibration_error, 0.1);
  ASSERT_TRUE(evaluation->executing);
  EXPECT_GE(evaluation->executing->precision, 0.95);
  EXPECT_GT(evaluation->executing->coverage, 0.5);
}

TEST(EvaluationTest, TheSameSeedGivesTheSame) {
  const SequenceSet tasks = Tasks(200);
  const auto one = Evaluate(tasks, {.seed = 4});
  const auto two = Evaluate(tasks, {.seed = 4});

  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->model.ToJson(), two->model.ToJson());
  EXPECT_EQ(one->baseline.ToJson(), two->baseline.ToJson());
}

TEST(EvaluationTest, EachSequenceIsHeldOutOnce) {
  const auto evaluation = Evaluate(Tasks(103), {.parts = 4, .folds = 4});

  ASSERT_TRUE(evaluation);
  EXPECT_EQ(evaluation->held_out, 103U);
  EXPECT_EQ(evaluation->model.steps, 103U * 5U);
}

// Each sequence comes once: what is held out has nothing in common with what is learnt.
TEST(EvaluationTest, NothingIsLearntFromWhatIsHeldOut) {
  SequenceSet set;
  for (std::uint64_t i = 0; i < 50; ++i)
    set.sequences.push_back({i * 10 + 1, i * 10 + 2, i * 10 + 3, i * 10 + 2, i * 10 + 3});

  const auto evaluation = Evaluate(set);

  ASSERT_TRUE(evaluation);
  EXPECT_EQ(evaluation->model.top1, 0);
  EXPECT_EQ(evaluation->baseline.top1, 0);
}

TEST(EvaluationTest, RefusesFewerSequencesThanParts) {
  const auto refused = Evaluate(Tasks(3), {.parts = 5});

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused.error().message(), "3 sequences cannot be dealt out to 5 parts");
}

}  // namespace
}  // namespace falconer::predict
