#include "browser/state/delta_state_tracker.h"

#include <gtest/gtest.h>

#include "tests/support/random_state.h"

namespace falconer::browser {
namespace {

const TabId kTab("t1");

model::StructuredState Page(int buttons, std::string title = "") {
  model::StructuredState state;
  state.title = std::move(title);
  for (int i = 0; i < buttons; ++i) {
    state.elements.push_back({.ref = "d1e" + std::to_string(i), .role = "button", .name = "x"});
  }
  return state;
}

TEST(DeltaStateTrackerTest, GivesStatesTheirPlaceInTheHistoryOfATab) {
  DeltaStateTracker tracker({});

  const auto first = tracker.Track(kTab, Page(1));
  const std::string first_id = tracker.Last(kTab)->state_id;
  const auto second = tracker.Track(kTab, Page(2));

  ASSERT_TRUE(first && second);
  EXPECT_TRUE(first->is_full());
  EXPECT_FALSE(second->is_full());
  EXPECT_EQ(tracker.Last(kTab)->prev_state_id, first_id);
  EXPECT_EQ(tracker.Last(kTab)->revision, 2U);
  EXPECT_EQ(tracker.Last(kTab)->tab_id, "t1");
  EXPECT_EQ(second->prev_state_id, first_id);
}

TEST(DeltaStateTrackerTest, TabsDoNotMix) {
  DeltaStateTracker tracker({});
  ASSERT_TRUE(tracker.Track(kTab, Page(1)));

  const auto other = tracker.Track(TabId("t2"), Page(1));

  ASSERT_TRUE(other);
  EXPECT_TRUE(other->is_full());
}

TEST(DeltaStateTrackerTest, SendsTheWholeStateAfterACutDelta) {
  DeltaStateTracker tracker({.limits = {.ops_per_section = 4}});
  ASSERT_TRUE(tracker.Track(kTab, Page(2)));

  const auto cut = tracker.Track(kTab, Page(20));
  const auto whole = tracker.Track(kTab, Page(21));
  const auto small = tracker.Track(kTab, Page(22));

  ASSERT_TRUE(cut && whole && small);
  EXPECT_TRUE(cut->truncated);
  EXPECT_TRUE(whole->is_full());
  EXPECT_FALSE(small->is_full());
}

TEST(DeltaStateTrackerTest, SendsTheWholeStateWhenAsked) {
  DeltaStateTracker tracker({});
  ASSERT_TRUE(tracker.Track(kTab, Page(2)));
  tracker.RequestResync(kTab);

  const auto whole = tracker.Track(kTab, Page(3));
  const auto small = tracker.Track(kTab, Page(4));

  ASSERT_TRUE(whole && small);
  EXPECT_TRUE(whole->is_full());
  EXPECT_FALSE(small->is_full());
}

TEST(DeltaStateTrackerTest, AnswersReadersWhoMissedSome) {
  DeltaStateTracker tracker({.history = 3});
  std::vector<model::StructuredState> seen;
  for (int i = 1; i <= 5; ++i) {
    ASSERT_TRUE(tracker.Track(kTab, Page(i)));
    seen.push_back(*tracker.Last(kTab));
  }

  const auto recent = tracker.Since(kTab, seen[2].state_id);
  const auto forgotten = tracker.Since(kTab, seen[0].state_id);

  ASSERT_TRUE(recent && forgotten);
  EXPECT_FALSE(recent->is_full());
  const auto applied = model::Apply(seen[2], *recent);
  ASSERT_TRUE(applied) << Describe(applied.error());
  EXPECT_EQ(applied->elements, seen[4].elements);
  EXPECT_TRUE(forgotten->is_full());
}

TEST(DeltaStateTrackerTest, KnowsNothingOfATabThatIsForgotten) {
  DeltaStateTracker tracker({});
  ASSERT_TRUE(tracker.Track(kTab, Page(1)));
  tracker.Forget(kTab);

  EXPECT_EQ(tracker.Last(kTab), nullptr);
  const auto since = tracker.Since(kTab, "s_1");
  ASSERT_FALSE(since);
  EXPECT_EQ(since.error().code(), ErrorCode::kNotFound);
}

TEST(DeltaStateTrackerTest, RemembersNothingOfAStateThatCannotBeSealed) {
  DeltaStateTracker tracker({});

  EXPECT_FALSE(tracker.Track(kTab, Page(1, "\xff")));
  EXPECT_EQ(tracker.Last(kTab), nullptr);
}

TEST(DeltaStateTrackerTest, AReaderWhoAppliesEveryDeltaHasTheState) {
  DeltaStateTracker tracker({});
  test::RandomState random(7);
  model::StructuredState page = random.Make();
  model::StructuredState reader;
  for (int i = 0; i < 200; ++i) {
    const auto delta = tracker.Track(kTab, page);
    ASSERT_TRUE(delta);
    if (delta->is_full()) {
      reader = *delta->full;
    } else {
      const auto applied = model::Apply(reader, *delta);
      ASSERT_TRUE(applied) << Describe(applied.error());
      reader = *applied;
    }
    ASSERT_EQ(reader, *tracker.Last(kTab)) << i;
    random.Mutate(page);
  }
}

}  // namespace
}  // namespace falconer::browser
