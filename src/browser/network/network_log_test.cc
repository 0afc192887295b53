#include "browser/network/network_log.h"

#include <gtest/gtest.h>

namespace falconer::browser {
namespace {

TEST(NetworkLogTest, NumbersEventsWithoutGaps) {
  NetworkLog log(4);
  EXPECT_EQ(log.last_seq(), 0u);

  EXPECT_EQ(log.Append({}).seq, 1u);
  EXPECT_EQ(log.Append({}).seq, 2u);

  EXPECT_EQ(log.last_seq(), 2u);
}

TEST(NetworkLogTest, KeepsTheNewestAndCountsWhatIsLost) {
  NetworkLog log(3);
  for (int i = 0; i < 10; ++i) log.Append({});

  EXPECT_EQ(log.events().size(), 3u);
  EXPECT_EQ(log.events().front().seq, 8u);
  EXPECT_EQ(log.DroppedSince(0), 7u);
  EXPECT_EQ(log.DroppedSince(5), 2u);
  EXPECT_EQ(log.DroppedSince(7), 0u);
  EXPECT_EQ(log.DroppedSince(10), 0u);
  EXPECT_EQ(log.Since(8).size(), 2u);
  EXPECT_EQ(log.Since(2).size(), 3u);
  EXPECT_TRUE(log.Since(10).empty());
}

TEST(NetworkLogTest, FindsAnEventUntilItIsGone) {
  NetworkLog log(2);
  for (int i = 0; i < 3; ++i) log.Append({});

  EXPECT_EQ(log.Find(0), nullptr);
  EXPECT_EQ(log.Find(1), nullptr);
  ASSERT_NE(log.Find(2), nullptr);
  EXPECT_EQ(log.Find(2)->seq, 2u);
  EXPECT_EQ(log.Find(3)->seq, 3u);
  EXPECT_EQ(log.Find(4), nullptr);
}

TEST(NetworkLogTest, AnEmptyLogHasLostNothing) {
  NetworkLog log(2);

  EXPECT_EQ(log.DroppedSince(0), 0u);
  EXPECT_TRUE(log.Since(0).empty());
  EXPECT_EQ(log.Find(1), nullptr);
}

}  // namespace
}  // namespace falconer::browser
