#include "predict/markov/context_index.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

#include "predict/markov/symbol_set.h"

namespace falconer::predict {
namespace {

std::map<std::uint64_t, std::uint32_t> Listed(const ContextIndex& index) {
  std::map<std::uint64_t, std::uint32_t> all;
  index.ForEach([&](const ContextSlot& slot) { all[slot.context] = slot.block; });
  return all;
}

TEST(ContextIndexTest, FindsWhatWasMadeAndNotWhatWasErased) {
  ContextIndex index;
  std::map<std::uint64_t, std::uint32_t> expected;
  std::mt19937_64 chance(1);
  std::vector<std::uint64_t> contexts;
  for (std::uint32_t i = 1; i <= 20'000; ++i) {
    contexts.push_back(chance() | 1);
    index.Make(contexts.back()).block = i;
    expected[contexts.back()] = i;
    if (i % 3 != 0) continue;
    const std::uint64_t gone = contexts[chance() % contexts.size()];
    if (ContextSlot* const slot = index.Find(gone)) index.Erase(*slot);
    expected.erase(gone);
  }

  EXPECT_EQ(Listed(index), expected);
  EXPECT_EQ(index.count(), expected.size());
  for (const std::uint64_t context : contexts) {
    const ContextSlot* const slot = index.Find(context);
    ASSERT_EQ(slot != nullptr, expected.contains(context));
    if (slot != nullptr) EXPECT_EQ(slot->block, expected.at(context));
  }
}

TEST(ContextIndexTest, MakingTwiceGivesTheSame) {
  ContextIndex index;
  index.Make(7).block = 3;

  EXPECT_EQ(index.Make(7).block, 3U);
  EXPECT_EQ(index.count(), 1U);
}

TEST(ContextIndexTest, ContextsInOrderTakeNoLongerThanOthers) {
  ContextIndex index;
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t context = 1; context <= 200'000; ++context) index.Make(context << 32);

  EXPECT_EQ(index.count(), 200'000U);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(ContextIndexTest, GoingRoundMeetsEverySlot) {
  ContextIndex index;
  std::mt19937_64 chance(2);
  for (int i = 0; i < 1000; ++i) index.Make(chance());
  ContextPlace place;
  std::map<std::uint64_t, int> met;
  for (int step = 0; step < 10'000; ++step)
    if (const ContextSlot* const slot = index.Next(place)) ++met[slot->context];

  EXPECT_EQ(met.size(), 1000U);
}

TEST(SymbolSetTest, NumbersSymbolsInTheOrderInWhichTheyCome) {
  SymbolSet set;
  for (std::uint64_t symbol = 5000; symbol > 0; --symbol)
    EXPECT_EQ(set.Add(symbol * 977), 5000 - symbol);

  EXPECT_EQ(set.Add(5000 * 977), 0U) << "known already";
  EXPECT_EQ(set.size(), 5000U);
  EXPECT_EQ(set.Find(977), std::optional<std::size_t>(4999));
  EXPECT_FALSE(set.Find(1));
}

TEST(SymbolSetTest, IsEmptyAfterClear) {
  SymbolSet set;
  set.Add(0);
  EXPECT_TRUE(set.Contains(0)) << "the boundary is a symbol, too";

  set.Clear();

  EXPECT_TRUE(set.empty());
  EXPECT_FALSE(set.Contains(0));
}

}  // namespace
}  // namespace falconer::predict
