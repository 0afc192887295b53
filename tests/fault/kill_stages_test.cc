// The program is killed at every stage of a turn; another one is started over the same data and
// gets the same contract. What was bought is bought once, what may have been is never bought again.

#include <gtest/gtest.h>

#include "tests/fault/shop.h"
#include "tests/fault/worker.h"

namespace falconer::test {
namespace {

struct KillRow {
  const char* kill;
  int bought_before;
  int bought_after;
  const char* failure;  // the code of the second answer; "" for success
};

// The page is opened first: the second pass of each stage is that of the purchase.
constexpr KillRow kKills[] = {
    {"admitted:2", 0, 1, ""}, {"announced:2", 0, 0, "OUTCOME_UNKNOWN"},
    {"acted:2", 1, 1, ""},    {"sealed:2", 1, 1, ""},
    {"answered:2", 1, 1, ""},
};

class KillStagesTest : public testing::TestWithParam<KillRow> {};

TEST_P(KillStagesTest, NothingIsLostOrDoneTwice) {
  const KillRow& row = GetParam();
  Shop shop;
  const WorkerHome home;

  home.Run(row.kill, {shop.OpenContract(100), Shop::BuyContract(1)});
  EXPECT_EQ(shop.Bought(1), row.bought_before);
  EXPECT_EQ(home.LedgerTrouble(), "");

  const auto answers = home.Run("never", {shop.OpenContract(101), Shop::BuyContract(1)});
  ASSERT_EQ(answers.size(), 2u);
  const json::object& bought = answers[1];
  EXPECT_EQ(bought.at("success").as_bool(), *row.failure == '\0') << json::serialize(bought);
  if (*row.failure != '\0') {
    EXPECT_EQ(bought.at("failure").at("code").as_string(), row.failure);
  }
  EXPECT_EQ(shop.Bought(1), row.bought_after);

  const auto again = home.Run("never", {Shop::BuyContract(1)});
  ASSERT_EQ(again.size(), 1u);
  if (*row.failure == '\0') {
    EXPECT_EQ(json::serialize(again[0]), json::serialize(bought)) << "the same bytes for a third";
  }
  EXPECT_EQ(shop.Bought(1), row.bought_after);
  EXPECT_EQ(home.LedgerTrouble(), "");
}

INSTANTIATE_TEST_SUITE_P(EveryStage, KillStagesTest, testing::ValuesIn(kKills),
                         [](const auto& info) {
                           const std::string kill = info.param.kill;
                           return kill.substr(0, kill.find(':'));
                         });

}  // namespace
}  // namespace falconer::test
