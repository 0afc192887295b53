#include "kernel/actions/seen_records.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace falconer::kernel {
namespace {

TEST(SeenRecordsTest, IsCompleteUpToTheFirstGap) {
  SeenRecords seen;
  EXPECT_EQ(seen.complete(), 0U);
  seen.Add(2, 2);
  EXPECT_EQ(seen.complete(), 0U) << "nobody told the first";
  seen.Add(1, 1);
  EXPECT_EQ(seen.complete(), 2U);
  seen.Add(5, 9);
  EXPECT_EQ(seen.complete(), 2U);
  EXPECT_EQ(seen.CompleteWith(3, 4), 9U);
  EXPECT_EQ(seen.complete(), 2U);
  seen.Add(3, 6);
  EXPECT_EQ(seen.complete(), 9U);
  EXPECT_EQ(seen.stretches(), 1U);
}

TEST(SeenRecordsTest, TheOrderDoesNotMatter) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::uint64_t> order(200);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i + 1;
    std::ranges::shuffle(order, random);
    SeenRecords seen;
    std::vector<bool> told(order.size() + 2);
    for (const std::uint64_t seq : order) {
      seen.Add(seq, seq);
      told[seq] = true;
      std::uint64_t complete = 0;
      while (told[complete + 1]) ++complete;
      ASSERT_EQ(seen.complete(), complete);
    }
  }
}

TEST(SeenRecordsTest, RemembersNoMoreThanItMay) {
  SeenRecords seen;
  seen.Add(1, 1);
  for (std::uint64_t seq = 3; seq < 100'000; seq += 2) seen.Add(seq, seq);
  EXPECT_EQ(seen.stretches(), SeenRecords::kMostAhead);
  EXPECT_EQ(seen.complete(), 1U);
  // What was forgotten is not claimed.
  seen.Add(1, 50);
  EXPECT_EQ(seen.complete(), 51U);
  for (std::uint64_t seq = 52; seq < 100'000; seq += 2) seen.Add(seq, seq);
  EXPECT_LT(seen.complete(), 100'000U);
  seen.Add(1, 100'000);
  EXPECT_EQ(seen.complete(), 100'000U);
}

}  // namespace
}  // namespace falconer::kernel
