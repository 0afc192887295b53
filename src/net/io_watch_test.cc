#include "net/io_watch.h"

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "base/async/fake_clock.h"

namespace falconer::net {
namespace {

using std::chrono::seconds;

class IoWatchTest : public testing::Test {
 protected:
  void Settle() {
    io_.restart();
    io_.poll();
  }
  std::function<void()> Count() {
    return [this] { ++interrupts_; };
  }

  boost::asio::io_context io_;
  FakeClock clock_;
  CallContext ctx_{io_.get_executor(), clock_};
  int interrupts_ = 0;
};

TEST_F(IoWatchTest, InterruptsOnceWhenItsTimeIsUp) {
  IoWatch watch(ctx_, Count());
  watch.ArmFor(seconds(5));

  clock_.Advance(seconds(4));
  Settle();
  EXPECT_EQ(interrupts_, 0);
  clock_.Advance(seconds(2));
  Settle();

  EXPECT_EQ(interrupts_, 1);
  EXPECT_EQ(watch.Explain(boost::asio::error::operation_aborted, "read").code(),
            ErrorCode::kTimeout);
}

TEST_F(IoWatchTest, NeverOutlivesTheContext) {
  IoWatch watch(ctx_.WithTimeout(seconds(1)), Count());
  watch.ArmFor(seconds(60));

  clock_.Advance(seconds(2));
  Settle();

  EXPECT_EQ(interrupts_, 1);
}

TEST_F(IoWatchTest, DisarmedOrRearmedItIsQuiet) {
  IoWatch watch(ctx_, Count());
  watch.ArmFor(seconds(1));
  watch.ArmFor(seconds(10));
  clock_.Advance(seconds(2));
  Settle();
  watch.Disarm();
  clock_.Advance(seconds(20));
  Settle();

  EXPECT_EQ(interrupts_, 0);
}

TEST_F(IoWatchTest, AStartTooLateInterruptsAtOnce) {
  const IoWatch watch(ctx_.WithTimeout(seconds(0)), Count());

  EXPECT_EQ(interrupts_, 1);
}

TEST_F(IoWatchTest, CancellationGivesItsOwnReason) {
  CancelSource source;
  IoWatch watch(ctx_.WithCancel(source.token()), Count());

  source.Cancel(Error(ErrorCode::kStaleEpoch, "lease lost"));
  watch.ArmFor(seconds(1));

  EXPECT_EQ(interrupts_, 1);
  EXPECT_EQ(watch.Explain(boost::asio::error::operation_aborted, "read").code(),
            ErrorCode::kStaleEpoch);
}

TEST_F(IoWatchTest, OtherwiseItIsTheNetwork) {
  const IoWatch watch(ctx_, Count());
  const auto error = watch.Explain(boost::asio::error::connection_reset, "read reply");

  EXPECT_EQ(error.code(), ErrorCode::kNetworkError);
  EXPECT_TRUE(error.message().starts_with("read reply: ")) << error.message();
}

TEST_F(IoWatchTest, AWatchThatIsGoneDoesNotInterrupt) {
  {
    const IoWatch watch(ctx_.WithTimeout(seconds(1)), Count());
  }
  clock_.Advance(seconds(2));
  Settle();

  EXPECT_EQ(interrupts_, 0);
}

}  // namespace
}  // namespace falconer::net
