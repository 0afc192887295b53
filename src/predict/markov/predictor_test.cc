#include "predict/markov/predictor.h"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "predict/markov/context_shape.h"

namespace falconer::predict {
namespace {

using store::ContextRow;
using store::DoneBy;
using Sequence = std::vector<std::uint64_t>;

constexpr std::int32_t kToday = 20'000;
constexpr std::uint64_t kCartPage = 0xCA57;
constexpr std::uint64_t kHomePage = 0x403E;

struct LearnHow {
  DoneBy by = DoneBy::kPerson;
  std::int32_t day = kToday;
  std::uint64_t page = 0;
};

// With its end.
void LearnSequence(Predictor& predictor, Sequence steps, const LearnHow& how = {}) {
  steps.push_back(kBoundary);
  for (std::size_t at = 0; at < steps.size(); ++at)
    predictor.Observe(std::span(steps).first(at), how.page, steps[at], how.by, how.day);
}

std::vector<Prediction> After(const Predictor& predictor, const Sequence& history,
                              std::size_t most = 5) {
  return predictor.Predict({.history = history, .most = most});
}

double SumOf(const std::vector<Prediction>& predictions) {
  double sum = 0;
  for (const Prediction& one : predictions) sum += one.probability;
  return sum;
}

// A site with habits: from each of its pages some are visited more often than others.
Sequence WalkOf(std::mt19937& chance, std::size_t steps) {
  Sequence walk = {chance() % 20 + 1};
  while (walk.size() < steps) walk.push_back((walk.back() * 3 + chance() % 4) % 20 + 1);
  return walk;
}

Predictor LearntFromWalks(PredictorOptions options = {}, int walks = 200) {
  Predictor predictor(options);
  std::mt19937 chance(7);
  for (int i = 0; i < walks; ++i) LearnSequence(predictor, WalkOf(chance, 12));
  return predictor;
}

std::map<std::pair<std::uint64_t, std::uint64_t>, ContextRow> ByKey(
    const std::vector<ContextRow>& rows) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, ContextRow> all;
  for (const ContextRow& row : rows) all[{row.context, row.next}] = row;
  return all;
}

TEST(PredictorTest, KnowsNothingToBeginWith) {
  EXPECT_TRUE(After(Predictor(), {1, 2, 3}).empty());
  EXPECT_TRUE(After(Predictor(), {}).empty());
}

TEST(PredictorTest, FollowsASequenceThatWasSeenThreeTimesToItsEnd) {
  Predictor predictor;
  const Sequence steps = {11, 12, 13, 14, 15};
  for (int i = 0; i < 3; ++i) LearnSequence(predictor, steps);

  Sequence history;
  for (const std::uint64_t step : Sequence{11, 12, 13, 14, 15, kBoundary}) {
    const auto predictions = After(predictor, history);
    ASSERT_FALSE(predictions.empty());
    EXPECT_EQ(predictions[0].symbol, step);
    EXPECT_GT(predictions[0].confidence, history.empty() ? 0.5 : 0.7)
        << "once it has begun, sure enough for the most careful profile";
    history.push_back(step);
  }
}

TEST(PredictorTest, OneSightingIsNoReasonToBeSure) {
  Predictor predictor;
  LearnSequence(predictor, {11, 12, 13});

  const auto predictions = After(predictor, {11});

  ASSERT_FALSE(predictions.empty());
  EXPECT_EQ(predictions[0].symbol, 12U);
  EXPECT_LT(predictions[0].confidence, 0.5);
}

TEST(PredictorTest, IsSurerTheMoreOftenItSawTheSame) {
  Predictor predictor;
  double last = 0;
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < 1 << round; ++i) LearnSequence(predictor, {11, 12, 13});
    const double now = After(predictor, {11})[0].confidence;
    EXPECT_GT(now, last) << round;
    EXPECT_LT(now, 1);
    last = now;
  }
  EXPECT_GT(last, 0.9);
}

TEST(PredictorTest, ALongerPastTellsWhatAShorterOneCannot) {
  Predictor predictor;
  for (int i = 0; i < 5; ++i) {
    LearnSequence(predictor, {1, 9, 2});
    LearnSequence(predictor, {3, 9, 4});
  }

  EXPECT_EQ(After(predictor, {1, 9})[0].symbol, 2U);
  EXPECT_EQ(After(predictor, {3, 9})[0].symbol, 4U);
  EXPECT_EQ(After(predictor, {3, 9})[0].source, "order_3") << "the beginning is a step, too";
  EXPECT_EQ(After(predictor, {3, 9})[0].order, 3);
}

TEST(PredictorTest, FallsBackToWhatAShorterPastKnows) {
  Predictor predictor;
  for (int i = 0; i < 5; ++i) LearnSequence(predictor, {1, 2, 3});

  const auto predictions = After(predictor, {77, 2});

  EXPECT_EQ(predictions[0].symbol, 3U);
  EXPECT_EQ(predictions[0].source, "first_order");
  EXPECT_NEAR(predictions[0].seen, 5, 1e-3);
}

TEST(PredictorTest, AStepInBetweenDoesNotMakeItBlind) {
  Predictor predictor;
  for (int i = 0; i < 5; ++i) LearnSequence(predictor, {1, 2, 3});

  const auto predictions = After(predictor, {1, 55});

  ASSERT_FALSE(predictions.empty());
  EXPECT_EQ(predictions[0].symbol, 3U) << "two after the first, whatever was done in between";
  EXPECT_EQ(predictions[0].source, "first_order_skip");
}

TEST(PredictorTest, ThePageTellsWhatThePastCannot) {
  Predictor predictor;
  for (int i = 0; i < 5; ++i) {
    predictor.Observe(Sequence{1}, kCartPage, 2, DoneBy::kPerson, kToday);
    predictor.Observe(Sequence{1}, kHomePage, 3, DoneBy::kPerson, kToday);
  }

  const Sequence history = {1};
  const auto in_cart = predictor.Predict({.history = history, .page = kCartPage});
  const auto at_home = predictor.Predict({.history = history, .page = kHomePage});

  EXPECT_EQ(in_cart[0].symbol, 2U);
  EXPECT_EQ(in_cart[0].source, "second_order+page");
  EXPECT_EQ(at_home[0].symbol, 3U);
}

TEST(PredictorTest, WhatWasOnlyPredictedChangesNothing) {
  Predictor predictor;
  for (int i = 0; i < 3; ++i) LearnSequence(predictor, {1, 2, 3});
  (void)predictor.TakeChanged();
  const auto rows = predictor.All();

  LearnSequence(predictor, {1, 5, 6}, {.by = DoneBy::kPrediction});

  EXPECT_EQ(ByKey(predictor.All()), ByKey(rows));
  EXPECT_TRUE(predictor.TakeChanged().empty());
}

TEST(PredictorTest, WhatPeopleDoWeighsMoreThanWhatAgentsDo) {
  Predictor predictor;
  for (int i = 0; i < 4; ++i) {
    LearnSequence(predictor, {1, 2}, {.by = DoneBy::kAgent});
    if (i < 3) LearnSequence(predictor, {1, 3}, {.by = DoneBy::kPerson});
  }

  EXPECT_EQ(After(predictor, {1})[0].symbol, 3U) << "three people before four agents";
}

TEST(PredictorTest, AgentsMayWeighAsMuchAsPeople) {
  Predictor predictor({.agent_weight = 1});
  for (int i = 0; i < 4; ++i) {
    LearnSequence(predictor, {1, 2}, {.by = DoneBy::kAgent});
    if (i < 3) LearnSequence(predictor, {1, 3}, {.by = DoneBy::kPerson});
  }

  EXPECT_EQ(After(predictor, {1})[0].symbol, 2U);
}

TEST(PredictorTest, OldHabitsFade) {
  Predictor predictor({.half_life_days = 30});
  for (int i = 0; i < 6; ++i) LearnSequence(predictor, {1, 2}, {.day = kToday - 120});
  for (int i = 0; i < 2; ++i) LearnSequence(predictor, {1, 3}, {.day = kToday});

  EXPECT_EQ(After(predictor, {1})[0].symbol, 3U);
}

TEST(PredictorTest, WithoutAHalfLifeNothingFades) {
  Predictor predictor({.half_life_days = 0});
  for (int i = 0; i < 6; ++i) LearnSequence(predictor, {1, 2}, {.day = kToday - 3000});
  for (int i = 0; i < 2; ++i) LearnSequence(predictor, {1, 3}, {.day = kToday});

  EXPECT_EQ(After(predictor, {1})[0].symbol, 2U);
}

TEST(PredictorTest, TheDayOfTheQuestionMakesOldCountsWeighLess) {
  Predictor predictor({.half_life_days = 10});
  for (int i = 0; i < 4; ++i) LearnSequence(predictor, {1, 2});
  const Sequence history = {1};

  const auto soon = predictor.Predict({.history = history});
  const auto later = predictor.Predict({.history = history, .day = kToday + 20});

  EXPECT_NEAR(later[0].seen, soon[0].seen / 4, 1e-2);
  EXPECT_LT(later[0].confidence, soon[0].confidence);
}

TEST(PredictorTest, LearnsThatPeopleDoNotComeBackToWhatTheyHaveSeen) {
  Predictor predictor;
  std::mt19937 chance(3);
  for (int i = 0; i < 400; ++i) {
    Sequence pages = {1, 2, 3, 4, 5};
    std::ranges::shuffle(pages, chance);
    LearnSequence(predictor, pages);
  }

  for (const Prediction& one : After(predictor, {3, 1, 5})) {
    const bool is_return = one.symbol == 3 || one.symbol == 1 || one.symbol == 5;
    if (is_return) EXPECT_LT(one.probability, 0.02) << one.symbol;
  }
  EXPECT_NE(After(predictor, {3, 1, 5})[0].symbol, 3U);
}

TEST(PredictorTest, LearnsThatTheSameIsDoneAgainAndAgain) {
  Predictor predictor;
  for (int i = 0; i < 20; ++i) LearnSequence(predictor, {1, 7, 7, 7, 7, 7, 2});

  EXPECT_EQ(After(predictor, {1, 7, 7})[0].symbol, 7U);
}

TEST(PredictorTest, OnlyWhatIsPossibleComes) {
  Predictor predictor;
  for (int i = 0; i < 9; ++i) LearnSequence(predictor, {1, 2});
  LearnSequence(predictor, {1, 3});
  LearnSequence(predictor, {1, 4});
  const Sequence history = {1};
  const Sequence possible = {3, 4, 99};

  const auto free = predictor.Predict({.history = history});
  const auto bound = predictor.Predict({.history = history, .possible = possible});

  ASSERT_EQ(bound.size(), 2U) << "nobody has ever seen 99";
  EXPECT_EQ(bound[0].symbol, 3U) << "of equals the lesser symbol";
  EXPECT_EQ(bound[1].symbol, 4U);
  EXPECT_DOUBLE_EQ(bound[0].probability, bound[1].probability);
  EXPECT_GT(bound[0].probability, free[1].probability) << "what is left shares the whole";
  EXPECT_LE(SumOf(bound), 1);
}

TEST(PredictorTest, NothingComesWhenNothingIsPossible) {
  Predictor predictor;
  LearnSequence(predictor, {1, 2});
  const Sequence history = {1};
  const Sequence possible = {98, 99};

  EXPECT_TRUE(predictor.Predict({.history = history, .possible = possible}).empty());
}

TEST(PredictorTest, EqualOnesComeByTheirSymbols) {
  Predictor forward;
  Predictor backward;
  for (const std::uint64_t next : Sequence{2, 3, 4, 5}) LearnSequence(forward, {1, next});
  for (const std::uint64_t next : Sequence{5, 4, 3, 2}) LearnSequence(backward, {1, next});

  for (const Predictor* predictor : {&forward, &backward}) {
    const auto predictions = After(*predictor, {1}, 4);
    ASSERT_EQ(predictions.size(), 4U);
    for (std::size_t at = 0; at < 4; ++at) EXPECT_EQ(predictions[at].symbol, at + 2);
  }
}

TEST(PredictorTest, TheSameObservationsGiveTheSamePredictions) {
  const Predictor one = LearntFromWalks();
  const Predictor two = LearntFromWalks();
  std::mt19937 chance(11);
  for (int i = 0; i < 100; ++i) {
    const Sequence history = WalkOf(chance, 6);
    const auto a = After(one, history, 50);
    const auto b = After(two, history, 50);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t at = 0; at < a.size(); ++at) {
      EXPECT_EQ(a[at].symbol, b[at].symbol);
      EXPECT_EQ(a[at].probability, b[at].probability);
      EXPECT_EQ(a[at].confidence, b[at].confidence);
    }
  }
}

TEST(PredictorTest, ProbabilitiesOfAllThatCanFollowSumUpToOneWithWhatIsHeldBack) {
  const Predictor predictor = LearntFromWalks();
  std::mt19937 chance(5);
  for (int i = 0; i < 300; ++i) {
    const Sequence history = WalkOf(chance, chance() % 9 + 1);
    const auto all = After(predictor, history, 1000);
    ASSERT_GE(all.size(), 20U) << "everything that was ever seen";
    const double sum = SumOf(all);
    EXPECT_LE(sum, 1 + 1e-6);
    EXPECT_GT(sum, 0.99) << "with so much seen, little is held back for what was not";
    double confidence = 0;
    for (const Prediction& one : all) {
      EXPECT_GE(one.probability, 0);
      EXPECT_LE(one.confidence, all[0].confidence);
      confidence += one.confidence;
    }
    EXPECT_LE(confidence, 1 + 1e-6);
    EXPECT_TRUE(std::ranges::is_sorted(all, std::greater(), &Prediction::probability));
  }
}

TEST(PredictorTest, LittleSeenHoldsMuchBack) {
  Predictor predictor;
  LearnSequence(predictor, {1, 2});

  EXPECT_LT(SumOf(After(predictor, {}, 100)), 0.95);
}

TEST(PredictorTest, CountsOnlyGrowWhileNothingFadesAndNothingIsForgotten) {
  Predictor predictor({.half_life_days = 0});
  std::mt19937 chance(9);
  auto before = ByKey(predictor.All());
  const std::uint64_t books[] = {ReservedContext(1), ReservedContext(2), ReservedContext(3)};
  for (int i = 0; i < 40; ++i) {
    LearnSequence(predictor, WalkOf(chance, 8));
    const auto now = ByKey(predictor.All());
    for (const auto& [key, row] : before) {
      if (std::ranges::find(books, key.first) != std::end(books)) continue;
      ASSERT_TRUE(now.contains(key));
      EXPECT_GE(now.at(key).by_person, row.by_person);
    }
    EXPECT_GE(now.size(), before.size());
    before = now;
  }
}

TEST(PredictorTest, WhatWasKeptPredictsTheSameAgain) {
  Predictor learnt({.half_life_days = 60});
  std::mt19937 chance(2);
  std::vector<ContextRow> kept;
  std::map<std::pair<std::uint64_t, std::uint64_t>, ContextRow> store;
  for (int i = 0; i < 100; ++i) {
    LearnSequence(learnt, WalkOf(chance, 10), {.day = kToday + i / 10});
    if (i % 7 == 0)
      for (const ContextRow& row : learnt.TakeChanged()) store[{row.context, row.next}] = row;
  }
  for (const ContextRow& row : learnt.TakeChanged()) store[{row.context, row.next}] = row;
  for (const auto& [key, row] : store) kept.push_back(row);

  Predictor again({.half_life_days = 60});
  again.Load(kept);

  EXPECT_EQ(ByKey(kept), ByKey(learnt.All())) << "what changed is all that there is";
  EXPECT_EQ(again.transitions(), learnt.transitions());
  for (int i = 0; i < 50; ++i) {
    const Sequence history = WalkOf(chance, 5);
    const auto a = After(learnt, history, 30);
    const auto b = After(again, history, 30);
    ASSERT_EQ(a.size(), b.size());
    EXPECT_EQ(a[0].symbol, b[0].symbol);
    EXPECT_NEAR(a[0].confidence, b[0].confidence, 1e-3);
  }
}

TEST(PredictorTest, OnlyWhatChangedIsTold) {
  Predictor predictor = LearntFromWalks();
  EXPECT_GT(predictor.TakeChanged().size(), 1000U);
  EXPECT_TRUE(predictor.TakeChanged().empty());

  predictor.Observe(Sequence{1}, 0, 2, DoneBy::kPerson, kToday);

  EXPECT_LT(predictor.TakeChanged().size(), 40U);
}

TEST(PredictorTest, WhatOthersCountedTellsAsMuchAndStaysTheirs) {
  Predictor other;
  for (int i = 0; i < 4; ++i) LearnSequence(other, {1, 2, 3});
  Predictor predictor;
  LearnSequence(predictor, {1, 5, 6});
  const auto own = ByKey(predictor.All());
  (void)predictor.TakeChanged();

  predictor.LoadOthers(other.All());

  EXPECT_EQ(After(predictor, {1})[0].symbol, 2U);
  EXPECT_GT(After(predictor, {1})[0].confidence, 0.5);
  EXPECT_EQ(ByKey(predictor.All()), own);
  EXPECT_TRUE(predictor.TakeChanged().empty());
}

TEST(PredictorTest, AnotherNodesRowsAreTheSameWhoeverLearntFirst) {
  Predictor one;
  Predictor two;
  for (int i = 0; i < 4; ++i) LearnSequence(one, {1, 2, 3});
  for (int i = 0; i < 6; ++i) LearnSequence(two, {1, 4, 3});
  Predictor here;
  here.Load(one.All());
  here.LoadOthers(two.All());
  Predictor there;
  there.Load(two.All());
  there.LoadOthers(one.All());

  EXPECT_EQ(After(here, {1})[0].symbol, 4U);
  EXPECT_NEAR(After(here, {1})[0].probability, After(there, {1})[0].probability, 1e-6);
}

TEST(PredictorTest, StaysWithinItsBoundAndForgetsWhatWasNotUsedForTheLongestTime) {
  Predictor predictor({.max_transitions = 2000});
  for (int i = 0; i < 3; ++i) LearnSequence(predictor, {1, 2, 3});
  std::mt19937_64 chance(1);
  std::size_t most = 0;
  for (int i = 0; i < 2000; ++i) {
    LearnSequence(predictor, {chance(), chance(), chance()});
    if (i % 10 == 0) LearnSequence(predictor, {21, 22, 23});
    most = std::max(most, predictor.transitions());
  }

  EXPECT_LE(most, 2000U);
  EXPECT_EQ(After(predictor, {21, 22})[0].symbol, 23U) << "used all the time";
  const auto old = After(predictor, {1, 2});
  EXPECT_TRUE(old.empty() || old[0].symbol != 3 || old[0].seen < 3) << "not used for long";
}

TEST(PredictorTest, WhatHadToGoIsToldAsARowThatCountsNothing) {
  Predictor predictor({.max_transitions = 300});
  std::map<std::pair<std::uint64_t, std::uint64_t>, ContextRow> store;
  std::mt19937_64 chance(1);
  for (int i = 0; i < 500; ++i) {
    LearnSequence(predictor, {chance(), chance()});
    for (const ContextRow& row : predictor.TakeChanged()) {
      if (row.by_person + row.by_agent > 0)
        store[{row.context, row.next}] = row;
      else
        store.erase({row.context, row.next});
    }
  }

  EXPECT_EQ(store, ByKey(predictor.All()));
}

TEST(PredictorTest, AContextWithVeryManySuccessorsStaysBounded) {
  Predictor predictor;
  for (std::uint64_t next = 100; next < 6000; ++next)
    predictor.Observe(Sequence{1}, 0, next, DoneBy::kPerson, kToday);
  for (int i = 0; i < 5; ++i) predictor.Observe(Sequence{1}, 0, 7, DoneBy::kPerson, kToday);

  EXPECT_EQ(After(predictor, {1})[0].symbol, 7U);
  EXPECT_LE(predictor.transitions(), 4U * 1024U);
}

TEST(PredictorTest, AnEarlierDayTakesNothingAway) {
  Predictor predictor;
  LearnSequence(predictor, {1, 2}, {.day = kToday});
  LearnSequence(predictor, {1, 2}, {.day = kToday - 10});
  LearnSequence(predictor, {1, 2}, {.day = -5});

  EXPECT_EQ(After(predictor, {1})[0].symbol, 2U);
  EXPECT_GT(After(predictor, {1})[0].seen, 1.9);
}

TEST(PredictorTest, ConfidenceIsTheShareThatComesTrue) {
  Predictor predictor;
  std::mt19937 chance(4);
  std::uniform_real_distribution<double> dice(0, 1);
  const auto next_of = [&](std::uint64_t from) {
    const double sure = from % 2 == 0 ? 0.9 : 0.4;
    return dice(chance) < sure ? from % 10 + 1 : chance() % 10 + 1;
  };
  double hits = 0;
  double believed = 0;
  double error = 0;
  std::map<int, std::array<double, 3>> bins;
  Sequence walk = {1};
  for (int i = 0; i < 30'000; ++i) {
    const std::uint64_t next = next_of(walk.back());
    const Sequence history(
        walk.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(walk.size(), 8)),
        walk.end());
    if (i > 10'000) {
      const Prediction best = After(predictor, history)[0];
      auto& bin = bins[static_cast<int>(best.confidence * 10)];
      bin[0] += best.confidence;
      bin[1] += best.symbol == next ? 1 : 0;
      bin[2] += 1;
      believed += best.confidence;
      hits += best.symbol == next ? 1 : 0;
    }
    predictor.Observe(history, 0, next, DoneBy::kPerson, kToday);
    walk.push_back(next);
  }
  for (const auto& [number, bin] : bins) error += std::abs(bin[0] - bin[1]) / 20'000;

  EXPECT_NEAR(believed / hits, 1, 0.05);
  EXPECT_LT(error, 0.03);
}

TEST(MarkovDigestTest, TheSamePastGivesTheSameDigestForever) {
  const Sequence history = {1, 2};
  const ContextDigests digests = DigestsOf(history, 3, 4);
  std::size_t known = 0;
  for (std::size_t at = 0; at < digests.size(); ++at) known += digests[at] == 0 ? 0 : 1;

  EXPECT_EQ(known, 8U) << "order 4 needs three steps and the boundary";
  EXPECT_EQ(digests[3], 16274415135364663870U) << "kept rows are found by it";
}

}  // namespace
}  // namespace falconer::predict
