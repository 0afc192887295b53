// Kills at any moment, over and over, while things are bought. FALCONER_KILLS says how often; the
// default is small enough for every run of the tests.

#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "tests/fault/shop.h"
#include "tests/fault/worker.h"

namespace falconer::test {
namespace {

constexpr int kThings = 40;
constexpr int kDefaultKills = 12;
// From before the store is open until several things are bought.
constexpr std::pair<int, int> kLifeMs = {20, 1500};

int Kills() {
  const char* wanted = std::getenv("FALCONER_KILLS");
  return wanted != nullptr ? std::atoi(wanted) : kDefaultKills;
}

// Everything about the purchases as the test knows it.
struct Purchases {
  std::set<int> answered;                // in this pass over all things
  std::map<int, std::string> succeeded;  // in any pass, with the answer
};

// The page is opened anew by each worker; then it goes on with what nobody was answered yet.
std::vector<std::string> ContractsLeft(const Shop& shop, int round, const Purchases& purchases) {
  std::vector<std::string> contracts = {shop.OpenContract(1000 + round)};
  for (int thing = 1; thing <= kThings; ++thing) {
    if (!purchases.answered.contains(thing)) contracts.push_back(Shop::BuyContract(thing));
  }
  return contracts;
}

void Note(const std::vector<json::object>& answers, Purchases& purchases) {
  std::vector<int> left;
  for (int thing = 1; thing <= kThings; ++thing) {
    if (!purchases.answered.contains(thing)) left.push_back(thing);
  }
  for (std::size_t i = 1; i < answers.size(); ++i) {
    const int thing = left[i - 1];
    purchases.answered.insert(thing);
    if (!answers[i].at("success").as_bool()) {
      EXPECT_FALSE(purchases.succeeded.contains(thing)) << "what was acknowledged is lost";
      continue;
    }
    const std::string answer = json::serialize(answers[i]);
    const auto [known, is_first] = purchases.succeeded.emplace(thing, answer);
    if (!is_first) EXPECT_EQ(answer, known->second) << "what was acknowledged has changed";
  }
}

TEST(KillRandomTest, NothingAcknowledgedIsLostAndNothingIsBoughtTwice) {
  Shop shop;
  const WorkerHome home;
  std::mt19937 random(20);
  Purchases purchases;
  for (int round = 0; round < Kills(); ++round) {
    if (purchases.answered.size() == kThings) purchases.answered.clear();
    const auto worker = home.Start("never", ContractsLeft(shop, round, purchases));
    const int life = std::uniform_int_distribution(kLifeMs.first, kLifeMs.second)(random);
    std::this_thread::sleep_for(std::chrono::milliseconds(life));
    worker->Signal(SIGKILL);
    const Ended ended = worker->Wait();
    Note(AnswersIn(ended.out), purchases);
    EXPECT_TRUE(LeavesNobody(*worker));
    // The next worker puts aside what was broken off.
    ASSERT_EQ(home.LedgerTrouble(LedgerEnd::kMayBeTorn), "") << "round " << round;
    for (int thing = 1; thing <= kThings; ++thing) {
      ASSERT_LE(shop.Bought(thing), 1) << "round " << round << " thing " << thing;
      if (purchases.succeeded.contains(thing)) ASSERT_EQ(shop.Bought(thing), 1);
    }
  }
  // Whoever comes last still gets everything done.
  const auto answers = home.Run("never", ContractsLeft(shop, 999, purchases));
  Note(answers, purchases);
  EXPECT_EQ(purchases.answered.size(), static_cast<std::size_t>(kThings));
  EXPECT_EQ(home.LedgerTrouble(), "");
}

}  // namespace
}  // namespace falconer::test
