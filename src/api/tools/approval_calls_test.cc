#include "api/tools/approval_calls.h"

#include "base/async/fake_clock.h"
#include "tests/support/asked_approvals.h"
#include "tests/support/co_test.h"
#include "tests/support/in_background.h"
#include "tests/support/settle.h"

namespace falconer::api {
namespace {

using namespace std::chrono_literals;
using test::Settle;

// A server's tools, one of which asks people before it acts.
struct CallsBench {
  explicit CallsBench(const CallContext& real, ApprovalCallLimits limits = {})
      : ctx(real.executor(), clock),
        calls(
            real.executor(), clock, approvals,
            [this](const std::string& session) { return session + page; }, limits),
        tools(calls.Wrap(ToolCatalog({ToolOf("buy", agent::SideEffect::kDestroy),
                                      ToolOf("look", agent::SideEffect::kRead)}))) {}

  Tool ToolOf(std::string_view name, agent::SideEffect effect) {
    agent::ToolDescriptor info;
    info.name = name;
    info.effect = effect;
    return {.info = std::move(info), .run = [this](CallContext with, ToolCall call) {
              return Buy(std::move(with), std::move(call));
            }};
  }
  Task<ToolAnswer> Buy(CallContext with, ToolCall call) {
    ++runs;
    last_call = with.ids().call;
    if (call.arguments.contains("free")) co_return ToolAnswer{.text = "ok"};
    const auto state = co_await approvals.Ask(std::move(with));
    if (!state) co_return ToolAnswer{.text = state.error().message(), .is_error = true};
    co_return ToolAnswer{.text = std::string(NameIn(model::kApprovalStates, *state))};
  }
  test::InBackground<ToolAnswer> Call(ToolCall call, std::string_view tool = "buy") {
    if (!call.report) {
      call.report = [this](const std::string& message) { reports.push_back(message); };
    }
    return {ctx.executor(), tools.Find(tool)->run(ctx, std::move(call))};
  }
  static ToolCall Plain(json::object arguments = {{"item", 7}}) {
    return {.arguments = std::move(arguments), .report = nullptr};
  }
  // A client that is asked by answers.
  static ToolCall Modern(std::string state = "", json::object responses = {}) {
    ToolCall call = Plain();
    call.input = {.asking = ClientAsking::kByAnswer,
                  .ask = nullptr,
                  .responses = std::move(responses),
                  .state = std::move(state)};
    return call;
  }
  // A client that is asked by requests.
  ToolCall Legacy() {
    ToolCall call = Plain();
    call.input.asking = ClientAsking::kByRequest;
    call.input.ask = [this](CallContext with, json::object question) {
      return Elicit(std::move(with), std::move(question));
    };
    return call;
  }
  Task<Result<json::object>> Elicit(CallContext with, json::object question) {
    questions.push_back(std::move(question));
    const auto come = co_await changes.Until(
        std::move(with), [this] { return elicited.has_value(); }, "the person");
    if (!come) ++taken_back;
    CO_TRY(come);
    co_return *elicited;
  }
  void Say(json::object result) {
    elicited = std::move(result);
    changes.NotifyAll();
  }
  static json::object Accept(bool approve) {
    return {{"action", "accept"}, {"content", {{"approve", approve}, {"reason", "fine"}}}};
  }

  FakeClock clock;
  CallContext ctx;
  test::AskedApprovals approvals;
  std::string page = "t1 1 https://a.test/";
  ApprovalCalls calls;
  ToolCatalog tools;
  int runs = 0;
  std::string last_call;
  std::vector<std::string> reports;
  std::vector<json::object> questions;
  std::optional<Result<json::object>> elicited;
  int taken_back = 0;
  Notifier changes;
};

Error ServerGone() {
  return {ErrorCode::kCancelled, "gone"};
}

CO_TEST(ApprovalCallsTest, ACallThatNobodyMustApproveIsAnsweredAsEver) {
  CallsBench bench(ctx);
  auto call = bench.Call(CallsBench::Plain({{"free", true}}));
  const ToolAnswer answer = co_await call.Join();
  EXPECT_EQ(answer.text, "ok");
  EXPECT_EQ(bench.calls.held(), 0U);
  auto look = bench.Call(CallsBench::Plain({{"free", true}}), "look");
  co_await look.Join();
  EXPECT_EQ(bench.last_call, "") << "what only reads runs by itself";
}

CO_TEST(ApprovalCallsTest, SaysAfterAWhileWhatItWaitsForAndTheSameCallGoesOn) {
  CallsBench bench(ctx);
  auto first = bench.Call(CallsBench::Plain());
  co_await Settle();
  EXPECT_EQ(bench.reports.size(), 1U) << "progress says that it waits";
  bench.clock.Advance(5s - 1ms);
  co_await Settle();
  EXPECT_FALSE(first.is_done());
  bench.clock.Advance(1ms);
  const ToolAnswer pending = co_await first.Join();
  const std::string id = bench.approvals.last_id;
  EXPECT_FALSE(pending.is_error);
  EXPECT_EQ(TextAt(*pending.structured, "status"), "pending_approval");
  EXPECT_EQ(TextAt(*pending.structured, "approval_id"), id);
  EXPECT_TRUE(pending.text.contains(id)) << pending.text;
  EXPECT_TRUE(pending.text.contains("same arguments")) << pending.text;

  auto again = bench.Call(CallsBench::Plain());
  co_await Settle();
  EXPECT_EQ(bench.runs, 1) << "nothing is begun twice";
  bench.approvals.End(test::Approving(id, "ann"));
  const ToolAnswer answer = co_await again.Join();
  EXPECT_EQ(answer.text, "approved");
  EXPECT_EQ(bench.calls.held(), 0U);
}

// What can happen between a call and the same call again.
enum class Meanwhile { kDenied, kApproved, kOtherCall, kOtherSession, kOtherPage };

Task<void> Let(CallsBench* bench, Meanwhile happen) {
  switch (happen) {
    case Meanwhile::kDenied:
      bench->approvals.End(test::Denying(bench->approvals.last_id, "ann"));
      break;
    case Meanwhile::kApproved:
      bench->approvals.End(test::Approving(bench->approvals.last_id, "ann"));
      break;
    case Meanwhile::kOtherCall:
    case Meanwhile::kOtherSession: {
      json::object arguments{{"free", true}};
      if (happen == Meanwhile::kOtherSession) arguments["session"] = "second";
      auto other = bench->Call(CallsBench::Plain(std::move(arguments)));
      co_await other.Join();
      break;
    }
    case Meanwhile::kOtherPage:
      bench->page = "t1 2 https://b.test/";
      break;
  }
  co_await Settle();
}

// A call that was told that people are asked.
Task<void> CallUntilTold(CallsBench* bench) {
  auto first = bench->Call(CallsBench::Plain());
  co_await Settle();
  bench->clock.Advance(5s);
  co_await first.Join();
}

CO_TEST(ApprovalCallsTest, AnAnswerThatNobodyWaitedForIsKeptForTheSameCall) {
  CallsBench bench(ctx);
  co_await CallUntilTold(&bench);
  co_await Let(&bench, Meanwhile::kDenied);
  EXPECT_EQ(bench.calls.held(), 1U);
  auto other = bench.Call(CallsBench::Plain({{"item", 8}, {"free", true}}));
  co_await other.Join();
  EXPECT_EQ(bench.runs, 2) << "other arguments are another call";
  auto again = bench.Call(CallsBench::Plain());
  const ToolAnswer answer = co_await again.Join();
  EXPECT_EQ(answer.text, "denied");
  auto anew = bench.Call(CallsBench::Plain());
  co_await Settle();
  EXPECT_EQ(bench.runs, 3) << "once told, the same call is a new one";
  co_await bench.calls.Stop(ServerGone());
  co_await anew.Join();
}

struct AgainRow {
  const char* what;
  std::vector<Meanwhile> meanwhile;
  int runs;                        // once the same call came again
  std::optional<Meanwhile> after;  // what it waits for then, if it does
  const char* answer;
};

std::vector<AgainRow> AgainRows() {
  using enum Meanwhile;
  return {
      {"on another page it is another call, which is not told of the first",
       {kDenied, kOtherCall, kOtherPage},
       3,
       kApproved,
       "approved"},
      {"who is still on the page is told, whatever else he did",
       {kDenied, kOtherCall},
       2,
       std::nullopt,
       "denied"},
      {"another session goes elsewhere for itself",
       {kDenied, kOtherSession, kOtherPage},
       2,
       std::nullopt,
       "denied"},
      {"a page that goes on by itself does not hide the answer",
       {kDenied, kOtherPage},
       1,
       std::nullopt,
       "denied"},
      {"what the page led to is its page",
       {kOtherCall, kOtherPage, kApproved},
       2,
       std::nullopt,
       "approved"},
      {"what still waits is never begun twice", {kOtherCall, kOtherPage}, 2, kDenied, "denied"},
  };
}

CO_TEST(ApprovalCallsTest, TheSameCallAgainGoesOnWithItOrIsAnotherOne) {
  for (const AgainRow& row : AgainRows()) {
    CallsBench bench(ctx);
    co_await CallUntilTold(&bench);
    for (const Meanwhile happen : row.meanwhile) co_await Let(&bench, happen);

    auto again = bench.Call(CallsBench::Plain());
    co_await Settle();

    EXPECT_EQ(bench.runs, row.runs) << row.what;
    if (row.after) {
      EXPECT_FALSE(again.is_done()) << row.what;
      EXPECT_EQ(bench.calls.held(), 1U) << row.what;
      co_await Let(&bench, *row.after);
    }
    const ToolAnswer answer = co_await again.Join();
    EXPECT_EQ(answer.text, row.answer) << row.what;
  }
}

CO_TEST(ApprovalCallsTest, ForgetsAnswersThatNobodyFetches) {
  CallsBench bench(ctx);
  co_await CallUntilTold(&bench);
  co_await Let(&bench, Meanwhile::kDenied);
  bench.clock.Advance(11min);
  co_await Let(&bench, Meanwhile::kOtherCall);
  EXPECT_EQ(bench.calls.held(), 0U);
}

CO_TEST(ApprovalCallsTest, AsksByRequestAndTakesTheAnswer) {
  CallsBench bench(ctx);
  auto call = bench.Call(bench.Legacy());
  co_await Settle();
  EXPECT_EQ(bench.questions.size(), 1U);
  const json::object& question = bench.questions.at(0);
  EXPECT_EQ(TextAt(question, "mode"), "form");
  EXPECT_TRUE(TextAt(question, "message").contains("49 USD")) << TextAt(question, "message");
  EXPECT_EQ(question.at("requestedSchema").at("properties").at("approve").at("type"), "boolean");
  bench.Say(CallsBench::Accept(true));
  const ToolAnswer answer = co_await call.Join();
  EXPECT_EQ(answer.text, "approved");
  const auto& decision = bench.approvals.records.begin()->second.decisions.at(0);
  EXPECT_EQ(decision.reason, "fine");
}

CO_TEST(ApprovalCallsTest, WhatThePersonDoesNotTickIsDenied) {
  for (const auto& result : {CallsBench::Accept(false), json::object{{"action", "decline"}}}) {
    CallsBench bench(ctx);
    auto call = bench.Call(bench.Legacy());
    co_await Settle();
    bench.Say(result);
    const ToolAnswer answer = co_await call.Join();
    EXPECT_EQ(answer.text, "denied") << json::serialize(result);
  }
}

CO_TEST(ApprovalCallsTest, WhatIsNoAnswerDecidesNothing) {
  const json::object silent[] = {
      {{"action", "cancel"}},
      {{"action", "accept"}},
      {{"action", "accept"}, {"content", {{"approve", "true"}}}},
      {{"action", "accept"}, {"content", {{"approved", true}}}},
      {{"approve", true}},
  };
  for (const json::object& result : silent) {
    CallsBench bench(ctx);
    auto call = bench.Call(bench.Legacy());
    co_await Settle();
    bench.Say(result);
    co_await Settle();
    EXPECT_FALSE(call.is_done()) << json::serialize(result);
    bench.clock.Advance(5s);
    const ToolAnswer answer = co_await call.Join();
    EXPECT_TRUE(answer.structured) << "pending, for others to decide";
    EXPECT_EQ(bench.questions.size(), 1U) << "nobody is asked twice";
    co_await bench.calls.Stop(ServerGone());
  }
}

CO_TEST(ApprovalCallsTest, TheQuestionStaysOpenWhenTheCallIsAnswered) {
  CallsBench bench(ctx);
  auto call = bench.Call(bench.Legacy());
  co_await Settle();
  bench.clock.Advance(50s);
  const ToolAnswer pending = co_await call.Join();
  EXPECT_TRUE(pending.structured);
  bench.Say(CallsBench::Accept(true));
  co_await Settle();
  auto again = bench.Call(bench.Legacy());
  const ToolAnswer answer = co_await again.Join();
  EXPECT_EQ(answer.text, "approved");
}

CO_TEST(ApprovalCallsTest, AQuestionThatOthersDecideIsTakenBack) {
  CallsBench bench(ctx);
  auto call = bench.Call(bench.Legacy());
  co_await Settle();
  bench.approvals.End(test::Approving(bench.approvals.last_id, "ann"));
  const ToolAnswer answer = co_await call.Join();
  EXPECT_EQ(answer.text, "approved");
  co_await Settle();
  EXPECT_EQ(bench.taken_back, 1);
}

CO_TEST(ApprovalCallsTest, AsksOnlyWhereTheTermsAllowThePersonAtTheClient) {
  CallsBench bench(ctx);
  bench.approvals.may_client_approve = false;
  auto legacy = bench.Call(bench.Legacy());
  co_await Settle();
  EXPECT_TRUE(bench.questions.empty());
  bench.clock.Advance(5s);
  const ToolAnswer first = co_await legacy.Join();
  EXPECT_TRUE(first.structured);
  auto modern = bench.Call(CallsBench::Modern());
  co_await Settle();
  EXPECT_FALSE(modern.is_done());
  bench.clock.Advance(5s);
  const ToolAnswer second = co_await modern.Join();
  EXPECT_FALSE(second.questions);
  co_await bench.calls.Stop(ServerGone());
}

CO_TEST(ApprovalCallsTest, AsksByAnswerAndTheSameCallBringsTheDecision) {
  CallsBench bench(ctx);
  auto first = bench.Call(CallsBench::Modern());
  const ToolAnswer asked = co_await first.Join();
  const std::string id = bench.approvals.last_id;
  EXPECT_TRUE(asked.questions);
  const json::object wire = asked.ToJson();
  EXPECT_EQ(TextAt(wire, "resultType"), "input_required");
  EXPECT_EQ(wire.at("inputRequests").at(id).at("method"), "elicitation/create");
  EXPECT_FALSE(wire.contains("content"));

  auto again =
      bench.Call(CallsBench::Modern(asked.questions->state, {{id, CallsBench::Accept(true)}}));
  const ToolAnswer answer = co_await again.Join();
  EXPECT_EQ(answer.text, "approved");
  EXPECT_EQ(bench.runs, 1);
}

CO_TEST(ApprovalCallsTest, AStateIsForOneQuestionOfOneCall) {
  CallsBench bench(ctx);
  auto first = bench.Call(CallsBench::Modern());
  const ToolAnswer asked = co_await first.Join();
  const std::string id = bench.approvals.last_id;
  const json::object responses{{id, CallsBench::Accept(true)}};

  ToolCall other = CallsBench::Modern(asked.questions->state, responses);
  other.arguments = {{"item", 8}};
  auto stolen = bench.Call(std::move(other));
  const ToolAnswer refused = co_await stolen.Join();
  EXPECT_TRUE(refused.is_error) << "other arguments";
  auto guessed = bench.Call(CallsBench::Modern("0123", responses));
  EXPECT_TRUE((co_await guessed.Join()).is_error);
  auto stateless = bench.Call(CallsBench::Modern("", responses));
  co_await Settle();
  EXPECT_FALSE(stateless.is_done()) << "answers without their state are none";
  EXPECT_EQ(bench.approvals.records.at(id).state, model::ApprovalState::kPending);

  auto left_out = bench.Call(CallsBench::Modern(asked.questions->state));
  const ToolAnswer again = co_await left_out.Join();
  EXPECT_TRUE(again.questions) << "what was not answered is asked again";
  EXPECT_NE(again.questions->state, asked.questions->state);
  auto used = bench.Call(CallsBench::Modern(asked.questions->state, responses));
  EXPECT_TRUE((co_await used.Join()).is_error) << "a state is used once";
  co_await bench.calls.Stop(ServerGone());
  co_await stateless.Join();
}

CO_TEST(ApprovalCallsTest, ACallThatIsCancelledEndsTheTurn) {
  CallsBench bench(ctx);
  CancelSource cancel;
  ToolCall call = CallsBench::Plain();
  call.report = [](const std::string&) {};
  test::InBackground running(
      ctx.executor(),
      bench.tools.Find("buy")->run(bench.ctx.WithCancel(cancel.token()), std::move(call)));
  co_await Settle();
  cancel.Cancel(Error(ErrorCode::kCancelled, "the caller left"));
  const ToolAnswer answer = co_await running.Join();
  EXPECT_TRUE(answer.is_error);
  EXPECT_EQ(bench.approvals.records.begin()->second.state, model::ApprovalState::kVoid);
  EXPECT_EQ(bench.calls.held(), 0U);
}

CO_TEST(ApprovalCallsTest, StoppingEndsTurnsThatGoOnWithoutACall) {
  CallsBench bench(ctx);
  auto call = bench.Call(bench.Legacy());
  co_await Settle();
  bench.clock.Advance(50s);
  co_await call.Join();
  co_await bench.calls.Stop(ServerGone());
  EXPECT_EQ(bench.calls.held(), 0U);
  EXPECT_EQ(bench.taken_back, 1);
  EXPECT_EQ(bench.approvals.records.begin()->second.state, model::ApprovalState::kVoid);
}

CO_TEST(ApprovalCallsTest, WhenTooManyGoOnWithoutACallTheNextOneWaits) {
  ApprovalCallLimits limits;
  limits.most_left = 1;
  CallsBench bench(ctx, limits);
  auto first = bench.Call(CallsBench::Plain({{"item", 1}}));
  co_await Settle();
  bench.clock.Advance(5s);
  co_await first.Join();
  auto second = bench.Call(CallsBench::Plain({{"item", 2}}));
  co_await Settle();
  bench.clock.Advance(5min);
  co_await Settle();
  EXPECT_FALSE(second.is_done());
  bench.approvals.End(test::Approving(bench.approvals.last_id, "ann"));
  const ToolAnswer answer = co_await second.Join();
  EXPECT_EQ(answer.text, "approved");
  co_await bench.calls.Stop(ServerGone());
}

}  // namespace
}  // namespace falconer::api
