#include "engine/approvals/question_bounds.h"

#include <gtest/gtest.h>

#include "base/json/json_reader.h"

namespace falconer::engine {
namespace {

using namespace std::chrono_literals;

const TenantId kAcme("acme");

TEST(QuestionBoundsTest, ATurnHasSoManyAndTheNextItsOwn) {
  QuestionBounds bounds({.per_turn = 2, .per_tenant = 100});
  const TimePoint now{};
  EXPECT_TRUE(bounds.Take(kAcme, TurnId("t1"), now));
  EXPECT_TRUE(bounds.Take(kAcme, TurnId("t1"), now));
  const auto refused = bounds.Take(kAcme, TurnId("t1"), now + 1h);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kApprovalDenied);
  EXPECT_EQ(TextAt(refused.error().details(), "reason"), "too_many_questions");
  EXPECT_TRUE(bounds.Take(kAcme, TurnId("t2"), now));
}

TEST(QuestionBoundsTest, ATenantHasSoManyInAMinuteWhateverTurnsTheyAreOf) {
  QuestionBounds bounds({.per_turn = 1, .per_tenant = 2, .window = 1min});
  const TimePoint now{};
  EXPECT_TRUE(bounds.Take(kAcme, TurnId("t1"), now));
  EXPECT_TRUE(bounds.Take(kAcme, TurnId("t2"), now + 1s));
  EXPECT_FALSE(bounds.Take(kAcme, TurnId("t3"), now + 59s));
  EXPECT_TRUE(bounds.Take(TenantId("other"), TurnId("t4"), now + 59s));
  EXPECT_TRUE(bounds.Take(kAcme, TurnId("t3"), now + 60s)) << "the first is a minute old";
  EXPECT_FALSE(bounds.Take(kAcme, TurnId("t5"), now + 60s));
}

}  // namespace
}  // namespace falconer::engine
