#include "browser/stream/live_viewer.h"

#include "base/async/fake_clock.h"
#include "base/async/task_scope.h"
#include "tests/support/co_test.h"
#include "tests/support/settle.h"

namespace falconer::browser {
namespace {

std::shared_ptr<const LiveFrame> NumberedFrame(std::uint64_t seq) {
  return MakeLiveFrame({.seq = seq, .taken = {}, .width = 2, .height = 3, .jpeg = "jpeg"});
}

Task<void> Collect(CallContext ctx, LiveViewer* viewer, std::vector<std::uint64_t>* seen,
                   std::optional<ErrorCode>* end) {
  for (;;) {
    const auto news = co_await viewer->Next(ctx);
    if (!news) {
      *end = news.error().code();
      co_return;
    }
    seen->push_back(news->frame ? news->frame->seq : 0);
  }
}

CO_TEST(LiveViewerTest, GetsStatusFirstAndFramesInOrder) {
  int left = 0;
  {
    LiveViewer viewer(5, [&left] { ++left; });
    viewer.Offer(NumberedFrame(1));
    viewer.Offer(NumberedFrame(2));
    viewer.Tell({.state = StreamState::kLive});
    const auto first = co_await viewer.Next(ctx);
    const auto second = co_await viewer.Next(ctx);
    const auto third = co_await viewer.Next(ctx);
    EXPECT_TRUE(first && first->status && first->status->state == StreamState::kLive);
    EXPECT_TRUE(second && second->frame && second->frame->seq == 1);
    EXPECT_TRUE(third && third->frame && third->frame->seq == 2);
  }
  EXPECT_EQ(left, 1);
}

CO_TEST(LiveViewerTest, WaitsForCreditAndForTheEnd) {
  LiveViewer viewer(5, [] {});
  std::vector<std::uint64_t> seen;
  std::optional<ErrorCode> end;
  TaskScope scope(ctx.executor());
  viewer.Grant(1);
  scope.Spawn("collect", Collect(ctx, &viewer, &seen, &end));
  viewer.Offer(NumberedFrame(1));
  viewer.Offer(NumberedFrame(2));
  co_await test::Settle();
  EXPECT_EQ(seen, std::vector<std::uint64_t>{1});
  viewer.Grant(1);
  co_await test::Settle();
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{1, 2}));

  viewer.End(Error(ErrorCode::kSessionClosed, "closed"));
  co_await scope.Join();

  EXPECT_EQ(end, ErrorCode::kSessionClosed);
}

CO_TEST(LiveViewerTest, FailsWithItsContext) {
  FakeClock clock;
  const CallContext call(ctx.executor(), clock);
  LiveViewer viewer(5, [] {});
  std::vector<std::uint64_t> seen;
  std::optional<ErrorCode> end;
  TaskScope scope(ctx.executor());
  scope.Spawn("collect", Collect(call.WithTimeout(std::chrono::seconds(2)), &viewer, &seen, &end));
  co_await test::Settle();
  EXPECT_FALSE(end);
  clock.Advance(std::chrono::seconds(3));
  co_await scope.Join();
  EXPECT_EQ(end, ErrorCode::kTimeout);
}

CO_TEST(LiveViewerTest, TellsItsShareOnce) {
  LiveViewer viewer(1, [] {});
  viewer.Offer(NumberedFrame(1));
  viewer.Offer(NumberedFrame(2));
  const auto taken = co_await viewer.Next(ctx);
  const ViewerShare share = viewer.TakeShare();
  EXPECT_EQ(share.offered, 2u);
  EXPECT_EQ(share.dropped, 1u);
  EXPECT_EQ(share.taken, 1u);
  EXPECT_EQ(viewer.TakeShare().offered, 0u);
}

}  // namespace
}  // namespace falconer::browser
