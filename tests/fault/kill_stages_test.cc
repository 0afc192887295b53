// The program is killed at every stage of a turn; another one is started over the same data and
// gets the same contract. What was bought is bought once, what may have been is never bought again.

#include <gtest/gtest.h>

#include "engine/turn_stage.h"
#include "tests/fault/shop.h"
#include "tests/fault/worker.h"

namespace falconer::test {
namespace {

using engine::TurnStage;

struct AfterKill {
  int bought_before = 0;
  int bought_after = 0;
  std::string failure;  // the code of the second answer; "" for success
};

// A stage without a case does not compile.
AfterKill AfterKillAt(TurnStage stage) {
  switch (stage) {
    case TurnStage::kAdmitted:
      return {.bought_before = 0, .bought_after = 1};
    case TurnStage::kAnnounced:
      return {.bought_before = 0, .bought_after = 0, .failure = "OUTCOME_UNKNOWN"};
    case TurnStage::kActed:
    case TurnStage::kSealed:
    case TurnStage::kAnswered:
      return {.bought_before = 1, .bought_after = 1};
  }
  std::unreachable();
}

class KillStagesTest : public testing::TestWithParam<EnumName<TurnStage>> {};

TEST_P(KillStagesTest, NothingIsLostOrDoneTwice) {
  const AfterKill row = AfterKillAt(GetParam().value);
  // The page is opened first: the second pass of each stage is that of the purchase.
  const std::string kill = std::string(GetParam().name) + ":2";
  Shop shop;
  const WorkerHome home;

  home.Run(kill, {shop.OpenContract(100), Shop::BuyContract(1)});
  EXPECT_EQ(shop.Bought(1), row.bought_before);
  EXPECT_EQ(home.LedgerTrouble(), "");

  const auto answers = home.Run("never", {shop.OpenContract(101), Shop::BuyContract(1)});
  ASSERT_EQ(answers.size(), 2u);
  const json::object& bought = answers[1];
  EXPECT_EQ(bought.at("success").as_bool(), row.failure.empty()) << json::serialize(bought);
  if (!row.failure.empty()) {
    EXPECT_EQ(bought.at("failure").at("code").as_string(), row.failure);
  }
  EXPECT_EQ(shop.Bought(1), row.bought_after);

  const auto again = home.Run("never", {Shop::BuyContract(1)});
  ASSERT_EQ(again.size(), 1u);
  if (row.failure.empty()) {
    EXPECT_EQ(json::serialize(again[0]), json::serialize(bought)) << "the same bytes for a third";
  }
  EXPECT_EQ(shop.Bought(1), row.bought_after);
  EXPECT_EQ(home.LedgerTrouble(), "");
}

INSTANTIATE_TEST_SUITE_P(EveryStage, KillStagesTest, testing::ValuesIn(engine::kTurnStages),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace falconer::test
