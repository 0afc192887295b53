#include "engine/approvals/approval_desk.h"

#include "base/async/fake_clock.h"
#include "kernel/leases/lease_owner.h"
#include "tests/support/captured_log.h"
#include "tests/support/co_test.h"
#include "tests/support/in_background.h"
#include "tests/support/memory_approvals.h"
#include "tests/support/sample_approval.h"
#include "tests/support/settle.h"

namespace falconer::engine {
namespace {

using namespace std::chrono_literals;
using model::ApprovalState;
using test::Approving;
using test::Denying;
using test::Settle;

class HeardChannel final : public ApprovalChannel {
 public:
  void Announce(const model::ApprovalRequest& request) override {
    announced.push_back(request.request_id);
  }
  void Ended(const model::ApprovalRecord& record) override { ended.push_back(record.state); }

  std::vector<std::string> announced;
  std::vector<ApprovalState> ended;
};

// A desk over records in memory, at a time of its own.
struct ApprovalDeskBench {
  explicit ApprovalDeskBench(const CallContext& real)
      : ctx(real.executor(), clock),
        records(clock),
        desk(real.executor(), clock, records, {.owner = kernel::OwnLeaseOwner()},
             [this](TenantId, json::object event) { return Write(std::move(event)); }) {
    desk.AddChannel(channel);
  }

  Task<Result<void>> Write(json::object event) {
    const std::string name = TextAt(event, "event");
    if (name == failing_event) co_return Fail(ErrorCode::kIoError, "the disk is full");
    events.push_back(std::move(event));
    co_return Result<void>();
  }
  model::ApprovalRequest Draft() const {
    model::ApprovalRequest request = test::SampleApproval(WallTime(1s));
    request.request_id.clear();
    request.call.clear();
    request.asked = {};
    request.expires = {};
    return request;
  }
  test::InBackground<Result<ApprovalOutcome>> Asking(const CallContext& with) {
    return {with.executor(), desk.Ask(with, Draft())};
  }
  std::vector<std::string> EventNames() const {
    std::vector<std::string> names;
    for (const json::object& event : events) names.push_back(TextAt(event, "event"));
    return names;
  }
  Task<void> LookOnce() {
    clock.Advance(250ms);
    co_await Settle();
  }

  FakeClock clock;
  CallContext ctx;
  test::MemoryApprovals records;
  HeardChannel channel;
  std::vector<json::object> events;
  std::string failing_event;
  ApprovalDesk desk;
};

CO_TEST(ApprovalDeskTest, AsksDurablyAndWaitsForTheDecision) {
  ApprovalDeskBench bench(ctx);
  Correlation ids;
  ids.call = "call-9";
  auto asking = bench.Asking(bench.ctx.WithIds(ids));
  co_await Settle();
  EXPECT_FALSE(asking.is_done());
  const std::string id = bench.records.last_id;
  const model::ApprovalRequest& kept = bench.records.records.at(id).request;
  EXPECT_EQ(kept.owner, kernel::OwnLeaseOwner());
  EXPECT_EQ(kept.call, "call-9");
  EXPECT_EQ(kept.expires, bench.clock.WallNow() + 10min);
  EXPECT_EQ(bench.channel.announced, std::vector<std::string>{id});
  EXPECT_EQ(bench.desk.Pending().size(), 1U);
  EXPECT_EQ(bench.desk.meter().pending, 1);

  bench.clock.Advance(7s);
  const auto decided = co_await bench.desk.Decide(Approving(id, "ann"));
  EXPECT_TRUE(decided);
  const auto outcome = co_await asking.Join();

  EXPECT_TRUE(outcome && outcome->is_approved());
  EXPECT_TRUE(outcome && outcome->Check());
  EXPECT_TRUE(bench.records.records.at(id).used) << "it is used up";
  EXPECT_EQ(bench.channel.ended, std::vector{ApprovalState::kApproved});
  EXPECT_EQ(bench.EventNames(), (std::vector<std::string>{"asked", "decided", "ended"}));
  EXPECT_EQ(bench.desk.meter().pending, 0);
  EXPECT_EQ(bench.desk.meter().approved, 1);
  EXPECT_EQ(bench.desk.meter().decision_time, 7s);
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, SeesWhatAnotherProcessDecided) {
  ApprovalDeskBench bench(ctx);
  auto asking = bench.Asking(bench.ctx);
  co_await Settle();
  bench.records.DecideNow(Approving(bench.records.last_id, "ann"));
  co_await Settle();
  EXPECT_FALSE(asking.is_done()) << "nobody has looked yet";
  co_await bench.LookOnce();
  EXPECT_TRUE(asking.is_done());
  const auto outcome = co_await asking.Join();
  EXPECT_TRUE(outcome && outcome->is_approved());
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, LooksOnlyWhileSomethingIsPending) {
  ApprovalDeskBench bench(ctx);
  for (int i = 0; i < 4; ++i) co_await bench.LookOnce();
  EXPECT_EQ(bench.records.looks, 0);
  auto asking = bench.Asking(bench.ctx);
  co_await Settle();
  for (int i = 0; i < 4; ++i) co_await bench.LookOnce();
  EXPECT_EQ(bench.records.looks, 4);
  bench.records.DecideNow(Denying(bench.records.last_id, "ann"));
  co_await bench.LookOnce();
  const int looks = bench.records.looks;
  for (int i = 0; i < 4; ++i) co_await bench.LookOnce();
  EXPECT_EQ(bench.records.looks, looks);
  EXPECT_EQ(bench.clock.armed(), 0U) << "no timer is left";
  co_await asking.Join();
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, ADenialSaysWhy) {
  ApprovalDeskBench bench(ctx);
  auto asking = bench.Asking(bench.ctx);
  co_await Settle();
  const auto decided = co_await bench.desk.Decide(Denying(bench.records.last_id, "ann"));
  EXPECT_TRUE(decided);
  const auto outcome = co_await asking.Join();
  const auto checked = outcome->Check();
  EXPECT_EQ(checked.error().code(), ErrorCode::kApprovalDenied);
  EXPECT_EQ(TextAt(checked.error().details(), "approval_id"), bench.records.last_id);
  EXPECT_EQ(bench.desk.meter().denied, 1);
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, NobodyInTimeIsNo) {
  ApprovalDeskBench bench(ctx);
  auto asking = bench.Asking(bench.ctx);
  co_await Settle();
  bench.clock.Advance(10min - 1ms);
  co_await Settle();
  EXPECT_FALSE(asking.is_done());
  co_await bench.LookOnce();
  const auto outcome = co_await asking.Join();
  EXPECT_EQ(outcome->record.state, ApprovalState::kExpired);
  EXPECT_EQ(outcome->Check().error().code(), ErrorCode::kApprovalTimeout);
  EXPECT_EQ(bench.records.records.begin()->second.state, ApprovalState::kExpired) << "and durable";
  EXPECT_EQ(bench.desk.meter().expired, 1);
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, TheTermsSayHowLong) {
  ApprovalDeskBench bench(ctx);
  model::ApprovalRequest request = bench.Draft();
  request.terms.timeout = 1min;
  test::InBackground asking(ctx.executor(), bench.desk.Ask(bench.ctx, std::move(request)));
  co_await Settle();
  bench.clock.Advance(1min);
  co_await Settle();
  EXPECT_TRUE(asking.is_done());
  const auto outcome = co_await asking.Join();
  EXPECT_EQ(outcome->record.state, ApprovalState::kExpired);
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, WhatIsWithdrawnIsVoid) {
  ApprovalDeskBench bench(ctx);
  auto asking = bench.Asking(bench.ctx);
  co_await Settle();
  bench.desk.Withdraw(bench.records.last_id, "the tab is gone");
  bench.desk.Withdraw(bench.records.last_id, "again");
  bench.desk.Withdraw("apr_unknown", "");
  const auto outcome = co_await asking.Join();
  EXPECT_EQ(outcome->record.state, ApprovalState::kVoid);
  EXPECT_EQ(outcome->record.end_reason, "the tab is gone");
  EXPECT_EQ(outcome->Check().error().code(), ErrorCode::kApprovalDenied);
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, ACancelledCallLeavesNothingPending) {
  ApprovalDeskBench bench(ctx);
  CancelSource cancel;
  auto asking = bench.Asking(bench.ctx.WithCancel(cancel.token()));
  co_await Settle();
  cancel.Cancel(Error(ErrorCode::kCancelled, "the caller left"));
  const auto outcome = co_await asking.Join();
  EXPECT_EQ(outcome.error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(bench.records.records.begin()->second.state, ApprovalState::kVoid);
  EXPECT_EQ(bench.desk.meter().pending, 0);
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, AnApprovalThatIsNotOnRecordDoesNotCount) {
  ApprovalDeskBench bench(ctx);
  bench.failing_event = "ended";
  auto asking = bench.Asking(bench.ctx);
  co_await Settle();
  bench.records.DecideNow(Approving(bench.records.last_id, "ann"));
  co_await bench.LookOnce();
  const auto outcome = co_await asking.Join();
  EXPECT_EQ(outcome.error().code(), ErrorCode::kIoError);
  EXPECT_FALSE(bench.records.records.begin()->second.used);
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, AQuestionThatIsNotOnRecordIsNotAsked) {
  ApprovalDeskBench bench(ctx);
  bench.failing_event = "asked";
  const auto outcome = co_await bench.desk.Ask(bench.ctx, bench.Draft());
  EXPECT_EQ(outcome.error().code(), ErrorCode::kIoError);
  EXPECT_TRUE(bench.channel.announced.empty());
  EXPECT_EQ(bench.records.records.begin()->second.state, ApprovalState::kVoid);
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, WithoutItsRecordsTheAnswerIsNo) {
  const test::CapturedLog log;
  ApprovalDeskBench bench(ctx);
  auto asking = bench.Asking(bench.ctx);
  co_await Settle();
  bench.records.failure = Fail(ErrorCode::kIoError, "the disk is gone");
  co_await bench.LookOnce();
  EXPECT_FALSE(asking.is_done()) << "it may come back";
  bench.clock.Advance(10min);
  co_await Settle();
  EXPECT_TRUE(asking.is_done());
  EXPECT_FALSE(co_await asking.Join());
  EXPECT_EQ(log.CountOf({"approval.not_seen"}), 2U);
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, WhatAProcessThatIsGoneAskedCannotBeApproved) {
  ApprovalDeskBench bench(ctx);
  model::ApprovalRequest gone = test::SampleApproval(bench.clock.WallNow());
  gone.owner = kernel::OwnLeaseOwner() + "0";
  EXPECT_TRUE(co_await bench.records.Put(gone));

  const auto decided = co_await bench.desk.Decide(Approving(gone.request_id, "ann"));

  const Error refused = decided ? Error(ErrorCode::kInternalError, "approved") : decided.error();
  EXPECT_EQ(refused.code(), ErrorCode::kApprovalDenied);
  EXPECT_TRUE(refused.message().contains("has ended")) << refused.message();
  const auto& ended = bench.records.records.at(gone.request_id);
  EXPECT_EQ(ended.state, ApprovalState::kDenied);
  EXPECT_TRUE(ended.decisions.empty());
  EXPECT_EQ(bench.EventNames(), std::vector<std::string>{"ended"});
}

CO_TEST(ApprovalDeskTest, WhatAProcessThatIsGoneAskedIsDeniedAtTheStart) {
  ApprovalDeskBench bench(ctx);
  const std::string own = kernel::OwnLeaseOwner();
  model::ApprovalRequest gone = test::SampleApproval(bench.clock.WallNow());
  gone.owner = own + "0";  // the same process number, started at another time
  model::ApprovalRequest elsewhere = test::SampleApproval(bench.clock.WallNow());
  elsewhere.owner = "another.machine:1:1";
  EXPECT_TRUE(co_await bench.records.Put(gone));
  EXPECT_TRUE(co_await bench.records.Put(elsewhere));

  EXPECT_TRUE(co_await bench.desk.Start());

  const auto& ended = bench.records.records.at(gone.request_id);
  EXPECT_EQ(ended.state, ApprovalState::kDenied);
  EXPECT_EQ(ended.end_reason, "the program that asked has ended");
  EXPECT_EQ(bench.records.records.at(elsewhere.request_id).state, ApprovalState::kPending);
  EXPECT_EQ(bench.EventNames(), std::vector<std::string>{"ended"});
}

CO_TEST(ApprovalDeskTest, TheSameOnceMoreIsNoOtherQuestionAndNotApprovedTwice) {
  ApprovalDeskBench bench(ctx);
  auto first = bench.Asking(bench.ctx);
  auto second = bench.Asking(bench.ctx);
  co_await Settle();
  EXPECT_EQ(bench.records.records.size(), 1U);
  EXPECT_TRUE(co_await bench.desk.Decide(Approving(bench.records.last_id, "ann")));
  const auto outcome = co_await first.Join();
  EXPECT_TRUE(outcome && outcome->is_approved());
  const auto once_more = co_await second.Join();
  EXPECT_EQ(TextAt(once_more.error().details(), "reason"), "approved_once");
  EXPECT_EQ(once_more.error().code(), ErrorCode::kApprovalDenied);
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, TheSameOnceMoreSharesADenialAndOutlivesTheFirst) {
  ApprovalDeskBench bench(ctx);
  CancelSource gone;
  auto first = bench.Asking(bench.ctx.WithCancel(gone.token()));
  auto second = bench.Asking(bench.ctx);
  auto third = bench.Asking(bench.ctx);
  co_await Settle();
  gone.Cancel(Error(ErrorCode::kCancelled, "aborted"));
  EXPECT_FALSE(co_await first.Join());
  co_await Settle();
  EXPECT_EQ(bench.records.records.size(), 2U) << "one of the others asks for both";
  EXPECT_TRUE(co_await bench.desk.Decide(Denying(bench.records.last_id, "ann")));
  EXPECT_EQ((co_await second.Join())->record.state, ApprovalState::kDenied);
  EXPECT_EQ((co_await third.Join())->record.state, ApprovalState::kDenied);
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, APageCannotAskWithoutEnd) {
  ApprovalDeskBench bench(ctx);
  std::size_t refused = 0;
  for (int i = 0; i < 1000; ++i) {
    CancelSource gone;
    auto asking = bench.Asking(bench.ctx.WithCancel(gone.token()));
    co_await Settle();
    gone.Cancel(Error(ErrorCode::kCancelled, "aborted"));
    const auto outcome = co_await asking.Join();
    if (TextAt(outcome.error().details(), "reason") == "too_many_questions") ++refused;
  }
  EXPECT_EQ(bench.records.records.size(), 16U);
  EXPECT_EQ(refused, 984U);
  EXPECT_EQ(bench.events.size(), 32U);
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, WhatWasApprovedAndNotLetGoIsOnRecord) {
  ApprovalDeskBench bench(ctx);
  auto asking = bench.Asking(bench.ctx);
  co_await Settle();
  EXPECT_TRUE(co_await bench.desk.Decide(Approving(bench.records.last_id, "ann")));
  const auto outcome = co_await asking.Join();
  co_await bench.desk.NoteUnused(outcome->record, Error(ErrorCode::kTokenRevoked, "revoked"));
  EXPECT_EQ(TextAt(bench.events.back(), "event"), "unused");
  EXPECT_EQ(TextAt(bench.events.back(), "code"), "TOKEN_REVOKED");
  EXPECT_EQ(TextAt(bench.events.back(), "request_id"), bench.records.last_id);
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, AnAnswerThatCannotBeRecordedIsKeptAndRecordedWithTheEnd) {
  ApprovalDeskBench bench(ctx);
  bench.failing_event = "decided";
  auto asking = bench.Asking(bench.ctx);
  co_await Settle();
  const auto decided = co_await bench.desk.Decide(Approving(bench.records.last_id, "ann"));
  EXPECT_EQ(decided.error().code(), ErrorCode::kIoError);
  EXPECT_TRUE(decided.error().message().starts_with("the answer is kept"))
      << decided.error().message();
  co_await bench.LookOnce();
  const auto outcome = co_await asking.Join();
  EXPECT_TRUE(outcome && outcome->is_approved());
  EXPECT_EQ(bench.events.back().at("decisions").as_array().size(), 1U);
  co_await bench.desk.Stop();
}

CO_TEST(ApprovalDeskTest, StoppingEndsWhatIsPending) {
  ApprovalDeskBench bench(ctx);
  auto first = bench.Asking(bench.ctx);
  model::ApprovalRequest other = bench.Draft();
  other.digest = std::string(64, 'e');
  test::InBackground second(ctx.executor(), bench.desk.Ask(bench.ctx, std::move(other)));
  auto same = bench.Asking(bench.ctx);
  co_await Settle();
  EXPECT_EQ(bench.desk.Pending().size(), 2U);
  co_await bench.desk.Stop();
  co_await Settle();
  EXPECT_TRUE(first.is_done());
  EXPECT_TRUE(second.is_done());
  EXPECT_FALSE(co_await same.Join()) << "nothing is asked anew";
  const auto outcome = co_await first.Join();
  EXPECT_EQ(outcome->record.state, ApprovalState::kVoid);
}

}  // namespace
}  // namespace falconer::engine
