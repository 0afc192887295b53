#include "base/async/one_shot.h"

#include <memory>
#include <optional>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "base/async/task_scope.h"
#include "tests/support/co_test.h"
#include "tests/support/settle.h"

namespace falconer {
namespace {

using namespace std::chrono_literals;
using test::Settle;

Task<void> TakeInto(OneShot<int>* shot, CallContext ctx, std::optional<Result<int>>* out) {
  *out = co_await shot->Wait(ctx, "the number");
}

CO_TEST(OneShotTest, HandsOverAValueThatIsThere) {
  OneShot<int> shot(ctx);
  EXPECT_FALSE(shot.is_set());
  shot.Set(7);

  const auto value = co_await shot.Wait(ctx, "the number");

  EXPECT_TRUE(shot.is_set());
  EXPECT_TRUE(value && *value == 7);
}

CO_TEST(OneShotTest, OnlyTheFirstValueCounts) {
  OneShot<int> shot(ctx);
  shot.Set(1);
  shot.Set(2);

  const auto value = co_await shot.Wait(ctx, "the number");

  EXPECT_TRUE(value && *value == 1);
}

CO_TEST(OneShotTest, WakesTheOneWhoWaits) {
  OneShot<int> shot(ctx);
  TaskScope scope(io->get_executor());
  std::optional<Result<int>> result;
  scope.Spawn("wait", TakeInto(&shot, ctx, &result));
  co_await Settle();
  EXPECT_FALSE(result);

  shot.Set(3);
  co_await Settle();

  EXPECT_TRUE(result && result->has_value() && **result == 3);
}

CO_TEST(OneShotTest, FailsAtTheDeadlineAndStillTakesALateValue) {
  FakeClock clock;
  const CallContext limited = CallContext(io->get_executor(), clock).WithTimeout(1s);
  OneShot<int> shot(limited);
  TaskScope scope(io->get_executor());
  std::optional<Result<int>> result;
  scope.Spawn("wait", TakeInto(&shot, limited, &result));
  co_await Settle();

  clock.Advance(1s);
  co_await Settle();

  EXPECT_TRUE(result && !result->has_value());
  if (result && !*result) EXPECT_EQ(result->error().code(), ErrorCode::kTimeout);
  shot.Set(4);
  EXPECT_TRUE(shot.is_set());
}

CO_TEST(OneShotTest, AValueThatIsThereBeatsADeadlineThatHasPassed) {
  FakeClock clock;
  const CallContext limited = CallContext(io->get_executor(), clock).WithTimeout(1s);
  OneShot<int> shot(limited);
  shot.Set(5);
  clock.Advance(2s);

  const auto value = co_await shot.Wait(limited, "the number");

  EXPECT_TRUE(value && *value == 5);
}

CO_TEST(OneShotTest, FailsWithTheReasonOfACancel) {
  CancelSource source;
  OneShot<int> shot(ctx);
  TaskScope scope(io->get_executor());
  std::optional<Result<int>> result;
  scope.Spawn("wait", TakeInto(&shot, ctx.WithCancel(source.token()), &result));
  co_await Settle();

  source.Cancel(Error(ErrorCode::kCancelled, "off"));
  co_await Settle();

  EXPECT_TRUE(result && !result->has_value());
  if (result && !*result) EXPECT_EQ(result->error().code(), ErrorCode::kCancelled);
}

CO_TEST(OneShotTest, CarriesValuesThatOnlyMove) {
  OneShot<std::unique_ptr<int>> shot(ctx);
  shot.Set(std::make_unique<int>(6));

  const auto value = co_await shot.Wait(ctx, "the number");

  EXPECT_TRUE(value && **value == 6);
}

}  // namespace
}  // namespace falconer
