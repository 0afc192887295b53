#include "base/async/cancel.h"

#include <gtest/gtest.h>

namespace falconer {
namespace {

TEST(CancelTest, ATokenWithoutASourceIsNeverCancelled) {
  const CancelToken token;
  int woken = 0;

  const auto subscription = token.OnCancel([&] { ++woken; });

  EXPECT_FALSE(token.is_cancelled());
  EXPECT_TRUE(token.Check());
  EXPECT_EQ(woken, 0);
}

TEST(CancelTest, EveryTokenSeesTheFirstReason) {
  CancelSource source;
  const CancelToken early = source.token();

  source.Cancel(Error(ErrorCode::kStaleEpoch, "the lease moved"));
  source.Cancel(Error(ErrorCode::kTimeout, "too late to matter"));

  EXPECT_TRUE(source.is_cancelled());
  for (const CancelToken& token : {early, source.token()}) {
    EXPECT_TRUE(token.is_cancelled());
    ASSERT_FALSE(token.Check());
    EXPECT_EQ(token.Check().error().code(), ErrorCode::kStaleEpoch);
  }
}

TEST(CancelTest, WakesEachSubscriberOnce) {
  CancelSource source;
  int woken = 0;
  const auto first = source.token().OnCancel([&] { ++woken; });
  const auto second = source.token().OnCancel([&] { ++woken; });

  source.Cancel(Error(ErrorCode::kCancelled, "off"));
  source.Cancel(Error(ErrorCode::kCancelled, "off"));

  EXPECT_EQ(woken, 2);
}

TEST(CancelTest, ASubscriberWhoLeftIsNotWoken) {
  CancelSource source;
  int woken = 0;
  auto subscription = source.token().OnCancel([&] { ++woken; });
  subscription.Reset();

  source.Cancel(Error(ErrorCode::kCancelled, "off"));

  EXPECT_EQ(woken, 0);
}

TEST(CancelTest, ALateSubscriberIsWokenAtOnce) {
  CancelSource source;
  source.Cancel(Error(ErrorCode::kCancelled, "off"));
  int woken = 0;

  const auto subscription = source.token().OnCancel([&] { ++woken; });

  EXPECT_EQ(woken, 1);
}

TEST(CancelTest, TokensOutliveTheirSource) {
  CancelToken token;
  Subscription subscription;
  {
    CancelSource source;
    token = source.token();
    subscription = token.OnCancel([] { ADD_FAILURE() << "nobody cancelled"; });
  }

  EXPECT_FALSE(token.is_cancelled());
}

TEST(CancelTest, AWakerMayDropItsOwnSubscription) {
  CancelSource source;
  Subscription subscription;
  int woken = 0;
  subscription = source.token().OnCancel([&] {
    ++woken;
    subscription.Reset();
  });

  source.Cancel(Error(ErrorCode::kCancelled, "off"));

  EXPECT_EQ(woken, 1);
}

TEST(LinkedCancelSourceTest, EndsWithTheFirstOfThoseItFollowsAndKeepsThatReason) {
  CancelSource first;
  CancelSource second;
  LinkedCancelSource linked(first.token());
  linked.Follow(second.token());

  second.Cancel(Error(ErrorCode::kStaleEpoch, "the lease moved"));
  first.Cancel(Error(ErrorCode::kTurnClosed, "too late"));

  EXPECT_EQ(linked.token().Check().error().code(), ErrorCode::kStaleEpoch);
}

TEST(LinkedCancelSourceTest, IsOverAtOnceWhenWhatItFollowsIs) {
  CancelSource done;
  done.Cancel(Error(ErrorCode::kTurnClosed, "closed"));

  const LinkedCancelSource linked(done.token());

  EXPECT_EQ(linked.token().Check().error().code(), ErrorCode::kTurnClosed);
}

TEST(LinkedCancelSourceTest, LeavesTheOthersAloneWhenItIsCancelled) {
  CancelSource caller;
  LinkedCancelSource linked(caller.token());

  linked.Cancel(Error(ErrorCode::kCancelled, "no longer needed"));

  EXPECT_TRUE(linked.token().is_cancelled());
  EXPECT_FALSE(caller.is_cancelled());
}

}  // namespace
}  // namespace falconer
