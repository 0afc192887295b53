#include "store/action_cache.h"

#include <gtest/gtest.h>

namespace falconer::store {
namespace {

IndexedAction Terminal(const std::string& tenant, const std::string& scope, std::uint64_t seq) {
  return {{TenantId(tenant), scope, Sha256Of("x")}, ActionState::kTerminal, seq, TurnId("t")};
}

TEST(ActionCacheTest, KeepsTheOnesUsedLast) {
  ActionCache cache(2);
  cache.Put(Terminal("a", "1", 1));
  cache.Put(Terminal("a", "2", 2));
  EXPECT_TRUE(cache.Find(Terminal("a", "1", 1).key));

  cache.Put(Terminal("a", "3", 3));

  EXPECT_EQ(cache.size(), 2U);
  EXPECT_TRUE(cache.Find(Terminal("a", "1", 1).key));
  EXPECT_FALSE(cache.Find(Terminal("a", "2", 1).key));
}

TEST(ActionCacheTest, IgnoresOpenActionsAndOlderRecords) {
  ActionCache cache(2);
  IndexedAction open = Terminal("a", "1", 1);
  open.state = ActionState::kOpen;
  cache.Put(open);
  EXPECT_EQ(cache.size(), 0U);

  cache.Put(Terminal("a", "1", 9));
  cache.Put(Terminal("a", "1", 3));

  EXPECT_EQ(cache.Find(open.key)->seq, 9U);
}

TEST(ActionCacheTest, KeepsApartWhatReadsTheSameWhenJoined) {
  ActionCache cache(8);
  cache.Put(Terminal("ab", "c", 1));
  EXPECT_FALSE(cache.Find(Terminal("a", "bc", 1).key));
}

}  // namespace
}  // namespace falconer::store
