#include "base/async/bounded_queue.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace falconer {
namespace {

TEST(BoundedQueueTest, GivesBackInOrder) {
  BoundedQueue<int> queue(3, Overflow::kRefuse);

  EXPECT_EQ(queue.TryPush(1), Push::kAdded);
  EXPECT_EQ(queue.TryPush(2), Push::kAdded);

  EXPECT_EQ(queue.TryPop(), 1);
  EXPECT_EQ(queue.TryPop(), 2);
  EXPECT_EQ(queue.TryPop(), std::nullopt);
  EXPECT_TRUE(queue.is_empty());
}

TEST(BoundedQueueTest, RefusesWhenFullAndLeavesTheValue) {
  BoundedQueue<std::unique_ptr<int>> queue(1, Overflow::kRefuse);
  ASSERT_EQ(queue.TryPush(std::make_unique<int>(1)), Push::kAdded);

  auto second = std::make_unique<int>(2);
  EXPECT_EQ(queue.TryPush(std::move(second)), Push::kRefused);

  EXPECT_NE(second, nullptr);  // NOLINT(bugprone-use-after-move): a refused value stays
  EXPECT_EQ(queue.refused(), 1U);
  EXPECT_EQ(queue.dropped(), 0U);
}

TEST(BoundedQueueTest, DropsTheOldestAndCounts) {
  BoundedQueue<int> queue(2, Overflow::kDropOldest);
  EXPECT_EQ(queue.TryPush(1), Push::kAdded);
  EXPECT_EQ(queue.TryPush(2), Push::kAdded);
  EXPECT_EQ(queue.TryPush(3), Push::kAddedAfterDrop);

  EXPECT_EQ(queue.dropped(), 1U);
  EXPECT_EQ(queue.items(), (std::deque<int>{2, 3}));
}

TEST(BoundedQueueTest, DropsTheNewestAndCounts) {
  BoundedQueue<std::string> queue(1, Overflow::kDropNewest);
  EXPECT_EQ(queue.TryPush("kept"), Push::kAdded);
  EXPECT_EQ(queue.TryPush("lost"), Push::kDropped);

  EXPECT_EQ(queue.dropped(), 1U);
  EXPECT_EQ(queue.TryPop(), "kept");
}

TEST(BoundedQueueTest, HoldsAtLeastOne) {
  BoundedQueue<int> queue(0, Overflow::kDropOldest);
  EXPECT_EQ(queue.TryPush(1), Push::kAdded);
  EXPECT_TRUE(queue.is_full());
  EXPECT_EQ(queue.bound(), 1U);

  queue.Clear();
  EXPECT_EQ(queue.size(), 0U);
}

}  // namespace
}  // namespace falconer
