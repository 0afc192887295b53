#include "base/async/deadline.h"

#include <gtest/gtest.h>

namespace falconer {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow{1h};

TEST(DeadlineTest, PassesAtItsMoment) {
  const Deadline deadline = Deadline::At(kNow + 1s);

  EXPECT_FALSE(deadline.HasPassed(kNow));
  EXPECT_FALSE(deadline.HasPassed(kNow + 999ms));
  EXPECT_TRUE(deadline.HasPassed(kNow + 1s));
}

TEST(DeadlineTest, SaysWhatIsLeftAndNeverLess) {
  const Deadline deadline = Deadline::At(kNow + 1s);

  EXPECT_EQ(deadline.Left(kNow), 1s);
  EXPECT_EQ(deadline.Left(kNow + 5s), Duration::zero());
  EXPECT_EQ(Deadline::Never().Left(kNow), Duration::max());
}

TEST(DeadlineTest, NestsByTheEarlier) {
  const Deadline near = Deadline::At(kNow + 1s);

  EXPECT_EQ(Deadline::Earlier(near, Deadline::Never()), near);
  EXPECT_EQ(Deadline::Earlier(Deadline::At(kNow + 2s), near), near);
}

TEST(DeadlineTest, ATimeoutTooLongForTheClockMeansNever) {
  EXPECT_EQ(Deadline::After(kNow, 1s), Deadline::At(kNow + 1s));
  EXPECT_TRUE(Deadline::After(kNow, Duration::max()).is_never());
  EXPECT_TRUE(Deadline::After(kNow, Duration::max() - 1s).is_never());
  EXPECT_TRUE(Deadline::After(kNow, Deadline::Never().Left(kNow)).is_never());
}

TEST(DeadlineTest, ANegativeTimeoutHasPassed) {
  EXPECT_TRUE(Deadline::After(kNow, -1s).HasPassed(kNow));
}

}  // namespace
}  // namespace falconer
