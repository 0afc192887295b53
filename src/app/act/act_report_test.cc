#include "app/act/act_report.h"

#include <sstream>

#include <gtest/gtest.h>

#include "model/state/delta.h"

namespace falconer::app {
namespace {

struct Screen {
  std::ostringstream out;
  std::ostringstream err;
  Terminal terminal{out, err, Colour::kOff};
};

model::ActionExecutionResult Failed(std::string message) {
  model::ActionExecutionResult result;
  result.turn_id = TurnId("t1");
  result.failure =
      model::ActionFailure::Of(Error(ErrorCode::kSecurityDomainBlock, std::move(message)));
  result.ledger = model::LedgerPlace{.chain = "local", .seq = 12, .record_hash = "h"};
  return result;
}

TEST(ActReportTest, TellsPeopleWhatWhyAndWhere) {
  Screen screen;
  ActReport report(screen.terminal, OutputForm::kText);

  report.Began("1/1", "click #send");
  report.Ended("1/1", Failed("10.0.0.1 is not public"), ActEnd::kRefused,
               std::chrono::microseconds(1500));
  report.Answer("{}");

  EXPECT_EQ(screen.out.str(),
            "  1/1    click #send\n"
            "  1/1    REFUSED  1.5 ms  ledger local #12\n"
            "         SECURITY_DOMAIN_BLOCK: 10.0.0.1 is not public\n"
            "         hint: allow the host if it should be: --set policy.allow_domains=HOST; "
            "docs/act.md says more\n");
}

TEST(ActReportTest, SaysWhatIsNotOnRecord) {
  Screen screen;
  ActReport report(screen.terminal, OutputForm::kText);
  auto result = Failed("the disk is full");
  result.ledger.reset();

  report.Ended("a", result, ActEnd::kFailed, std::chrono::milliseconds(1));

  EXPECT_TRUE(screen.out.str().contains("FAILED  1.0 ms  not on record\n")) << screen.out.str();
}

TEST(ActReportTest, TellsProgramsOnlyTheAnswer) {
  Screen screen;
  ActReport report(screen.terminal, OutputForm::kJson);

  report.Say("hello");
  report.Began("1/1", "click #send");
  report.Ended("1/1", Failed("no"), ActEnd::kFailed, {});
  report.Answer(R"({"a":1})");

  EXPECT_EQ(screen.out.str(), "{\"a\":1}\n");
  EXPECT_EQ(screen.err.str(), "");
}

TEST(ActReportTest, WhatOthersWroteCannotMoveTheCursor) {
  Screen screen;
  ActReport report(screen.terminal, OutputForm::kText);

  report.Began("1\n/1", "click \x1b[2J");
  report.Ended("1/1", Failed("two\nlines\x07"), ActEnd::kFailed, {});

  EXPECT_EQ(screen.out.str().find('\x1b'), std::string::npos);
  EXPECT_EQ(screen.out.str().find('\x07'), std::string::npos);
  EXPECT_EQ(std::ranges::count(screen.out.str(), '\n'), 4);
}

TEST(ActReportTest, ShowsAFewLinesOfWhatChanged) {
  model::StructuredState state;
  state.url = "http://x.test/";
  for (int i = 0; i < 200; ++i) {
    state.elements.push_back({.ref = "d1e" + std::to_string(i), .role = "button", .name = "Send"});
  }
  ASSERT_TRUE(model::Seal(state));
  auto result = Failed("no");
  // As it comes: over the wire.
  result.state_delta =
      ParseJsonObject(json::serialize(model::Diff(nullptr, state).ToJson())).value();
  Screen screen;
  ActReport report(screen.terminal, OutputForm::kText);

  report.Ended("1/1", result, ActEnd::kFailed, {});

  const std::string text = screen.out.str();
  EXPECT_TRUE(text.contains("d1e0 button \"Send\"")) << text;
  EXPECT_TRUE(text.contains("not shown")) << text;
  EXPECT_LT(std::ranges::count(text, '\n'), 40);
}

TEST(ActReportTest, EveryHintIsForPeople) {
  EXPECT_TRUE(ActHintFor(Error(ErrorCode::kInvalidContract, "")).contains("docs/contract.md"));
  EXPECT_EQ(ActHintFor(Error(ErrorCode::kBrowserLaunchFailed, "")),
            HintFor(ErrorCode::kBrowserLaunchFailed))
      << "what every command says of it";
}

}  // namespace
}  // namespace falconer::app
