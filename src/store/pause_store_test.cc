#include "store/pause_store.h"

#include "tests/support/store_bench.h"

namespace falconer::store {
namespace {

using namespace std::chrono_literals;
using test::Finish;

class PauseStoreTest : public test::StoreBench {
 protected:
  static std::optional<Pause> Found(SqliteStore& store, std::string tenant) {
    auto found = Finish(store.FindPause(TenantId(std::move(tenant))));
    EXPECT_TRUE(found) << found.error().message();
    return *std::move(found);
  }
};

TEST_F(PauseStoreTest, APauseOfOneTenantConcernsNobodyElse) {
  const auto store = OpenStore();
  EXPECT_FALSE(Found(*store, "acme"));
  const auto ordered = Finish(store->OrderPause({TenantId("acme"), "too many refunds", "ann"}));
  ASSERT_TRUE(ordered);
  EXPECT_EQ(ordered->since, clock_.WallNow());

  EXPECT_EQ(Found(*store, "acme"), *ordered);
  EXPECT_FALSE(Found(*store, "other"));
}

TEST_F(PauseStoreTest, TheFirstReasonStays) {
  const auto store = OpenStore();
  const auto first = Finish(store->OrderPause({TenantId(), "incident", "ann"}));
  clock_.Advance(1min);
  const auto second = Finish(store->OrderPause({TenantId(), "again", "bob"}));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*second, *first);
}

TEST_F(PauseStoreTest, ThatOfEverybodyComesFirstAndEndsByItself) {
  const auto store = OpenStore();
  ASSERT_TRUE(Finish(store->OrderPause({TenantId("acme"), "one", "ann"})));
  ASSERT_TRUE(Finish(store->OrderPause({TenantId(), "all", "ann"})));
  EXPECT_EQ(Found(*store, "acme")->reason, "all");
  EXPECT_EQ(Found(*store, "other")->reason, "all");
  EXPECT_EQ(Finish(store->ListPauses())->size(), 2U);

  EXPECT_EQ((*Finish(store->EndPause(TenantId())))->reason, "all");
  EXPECT_FALSE(Finish(store->EndPause(TenantId()))->has_value());
  EXPECT_EQ(Found(*store, "acme")->reason, "one");
  EXPECT_FALSE(Found(*store, "other"));
}

TEST_F(PauseStoreTest, EveryProcessSeesItAtItsNextQuestionAndAfterARestart) {
  {
    const auto running = OpenStore();
    EXPECT_FALSE(Found(*running, "acme"));
    const auto other = OpenStore();
    ASSERT_TRUE(Finish(other->OrderPause({TenantId(), "incident", "ann"})));
    EXPECT_TRUE(Found(*running, "acme"));
  }
  const auto restarted = OpenStore();
  const auto pause = Found(*restarted, "acme");
  ASSERT_TRUE(pause);
  EXPECT_EQ(pause->by, "ann");
  EXPECT_TRUE(pause->concerns(TenantId("anybody")));
}

}  // namespace
}  // namespace falconer::store
