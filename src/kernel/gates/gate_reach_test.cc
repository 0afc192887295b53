// How far the gates are asked: for a turn all of them, for an answer on record those about whoever
// asks for it, for a look at a page those about him and the page.

#include "kernel/gates/gate_list.h"
#include "tests/support/co_test.h"

namespace falconer::kernel {
namespace {

// Notes that it was asked, and refuses when it is told to.
class NotingGate final : public Gate {
 public:
  NotingGate(std::string_view name, std::string_view refuses, std::vector<std::string>& asked)
      : name_(name), is_refusing_(name == refuses), asked_(asked) {}
  std::string_view name() const override { return name_; }
  Task<Verdict> Check(CallContext /*ctx*/, const GateInput* /*input*/) override {
    asked_.emplace_back(name_);
    if (is_refusing_) co_return Verdict::Reject("no", Error(ErrorCode::kTokenRevoked, "no"));
    co_return Verdict::Admit("yes");
  }

 private:
  std::string_view name_;
  bool is_refusing_;
  std::vector<std::string>& asked_;
};

class GateNames final : public DecisionSink {
 public:
  void Record(const model::DecisionOutcome& decision) override { gates.push_back(decision.gate); }
  std::vector<std::string> gates;
};

struct Asked {
  Verdict verdict;
  std::vector<std::string> gates;
  std::vector<std::string> recorded;
};

Task<Asked> AskUpTo(CallContext ctx, GateReach reach, std::string refuses = "") {
  Asked out;
  std::vector<std::unique_ptr<Gate>> gates;
  for (const GateRow& row : GateOrder())
    gates.push_back(std::make_unique<NotingGate>(row.name, refuses, out.gates));
  const GateList list = GateList::Create(std::move(gates)).value();
  EventStamper stamper(SessionId("s1"), "p1", ctx.clock());
  GateNames sink;
  const GateInput input{.tenant = TenantId("acme")};
  out.verdict = co_await RunGates(ctx, &list, &input, &stamper, &sink, reach);
  out.recorded = sink.gates;
  co_return out;
}

TEST(GateReachTest, GatesThatTakeSomethingComeAfterAllOthers) {
  const auto takes = [](GateAbout about) {
    return about == GateAbout::kShare || about == GateAbout::kTurn;
  };
  bool has_taken = false;
  for (const GateRow& row : GateOrder()) {
    if (!takes(row.about)) EXPECT_FALSE(has_taken) << row.name;
    has_taken = has_taken || takes(row.about);
  }
  EXPECT_TRUE(has_taken);
}

CO_TEST(GateReachTest, WhatIsAboutNoPageIsAskedOfTheCallerAlone) {
  const Asked asked = co_await AskUpTo(ctx, GateReach::kCall);

  EXPECT_EQ(asked.gates, (std::vector<std::string>{"pause", "token", "capability", "constraint"}));
}

CO_TEST(GateReachTest, AnAnswerOnRecordAsksWhoAsksAndTakesNothing) {
  const Asked asked = co_await AskUpTo(ctx, GateReach::kCaller);

  EXPECT_TRUE(asked.verdict.is_admit());
  const std::vector<std::string> about_caller = {"pause", "contract", "token", "capability",
                                                 "constraint"};
  EXPECT_EQ(asked.gates, about_caller);
  EXPECT_EQ(asked.recorded, about_caller);
}

CO_TEST(GateReachTest, ALookAsksWhoAsksAndAboutThePage) {
  const Asked asked = co_await AskUpTo(ctx, GateReach::kLook);
  const Asked first = co_await AskUpTo(ctx, GateReach::kFirstLook);

  std::vector<std::string> gates = {"pause", "token", "capability", "constraint", "domain", "risk"};
  EXPECT_EQ(asked.gates, gates);
  EXPECT_EQ(asked.recorded, gates);
  gates.emplace_back("quota");
  EXPECT_EQ(first.gates, gates) << "it opens a session";
}

CO_TEST(GateReachTest, TheFirstThatRefusesIsTheLastThatIsAsked) {
  const Asked asked = co_await AskUpTo(ctx, GateReach::kCaller, "token");

  EXPECT_EQ(asked.verdict.gate, "token");
  EXPECT_EQ(asked.gates, (std::vector<std::string>{"pause", "contract", "token"}));
}

CO_TEST(GateReachTest, ATurnAsksAllOfThem) {
  const Asked asked = co_await AskUpTo(ctx, GateReach::kAll);

  EXPECT_EQ(asked.gates.size(), GateOrder().size());
}

}  // namespace
}  // namespace falconer::kernel
