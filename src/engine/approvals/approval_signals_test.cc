#include "engine/approvals/approval_signals.h"

#include "base/async/fake_clock.h"
#include "tests/support/co_test.h"
#include "tests/support/in_background.h"
#include "tests/support/memory_approvals.h"
#include "tests/support/sample_approval.h"
#include "tests/support/settle.h"
#include "tests/support/turn_fakes.h"

namespace falconer::engine {
namespace {

using namespace std::chrono_literals;

CO_TEST(ApprovalSignalsTest, ASessionHearsOfItsOwnQuestions) {
  FakeClock clock;
  test::MemoryApprovals records(clock);
  ApprovalDesk desk(ctx.executor(), clock, records, {.owner = "test:1"},
                    [](TenantId, json::object) -> Task<Result<void>> { co_return Result<void>(); });
  kernel::EventStamper stamper(SessionId("s1"), "p1", clock);
  kernel::EventStamper of_another(SessionId("s2"), "p1", clock);
  test::RecordingSink heard;
  test::RecordingSink heard_by_another;
  const ApprovalSignals signals(desk, stamper, heard, [] { return std::optional(7L); });
  const ApprovalSignals others(desk, of_another, heard_by_another, [] { return std::nullopt; });
  const CallContext own(ctx.executor(), clock);
  for (const auto answer : {model::ApprovalAnswer::kApprove, model::ApprovalAnswer::kDeny}) {
    model::ApprovalRequest request = test::SampleApproval(clock.WallNow());
    request.expires = clock.WallNow() + 1min;
    test::InBackground asking(ctx.executor(), desk.Ask(own, request));
    co_await test::Settle();
    EXPECT_TRUE(co_await desk.Decide(test::SampleDecision(request.request_id, "ann", answer)));
    co_await asking.Join();
  }
  test::InBackground late(ctx.executor(), desk.Ask(own, test::SampleApproval(clock.WallNow())));
  co_await test::Settle();
  clock.Advance(11min);
  co_await late.Join();

  std::vector<std::string> words;
  for (const model::ControlSignal& signal : heard.signals) {
    EXPECT_TRUE(signal.Validate()) << model::SignalName(signal.signal);
    words.emplace_back(model::SignalName(signal.signal));
  }
  EXPECT_EQ(words, (std::vector<std::string>{"approval_requested", "approval_granted",
                                             "approval_requested", "approval_denied",
                                             "approval_requested", "approval_expired"}));
  EXPECT_TRUE(heard_by_another.signals.empty());
  co_await desk.Stop();
}

}  // namespace
}  // namespace falconer::engine
