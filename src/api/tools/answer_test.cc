#include "api/tools/answer.h"

#include <gtest/gtest.h>

#include "model/token_estimate.h"

namespace falconer::api {
namespace {

model::StateDelta Changed(std::string ref, json::object fields) {
  model::StateDelta delta{.prev_state_id = "s_1", .new_state_id = "s_2"};
  delta.changed_sections = {model::Section::kElements};
  delta.elements.updated.push_back({.key = std::move(ref), .fields = std::move(fields)});
  return delta;
}

model::ActionExecutionResult Success() {
  return {.success = true};
}

model::ActionExecutionResult Failure(Error error) {
  model::ActionExecutionResult result;
  result.failure = model::ActionFailure::Of(error);
  return result;
}

TEST(AnswerTest, WhatWasAskedForIsNoNews) {
  const AnswerStyle style{
      .head = "ok 1 fields", .asked = {{.ref = "d1e1", .value = "Ada"}}, .quiet = QuietNews::kDrop};

  const auto same =
      ResultAnswer(Success(), Changed("d1e1", {{"value_hint", "Ada"}, {"focused", true}}), style);
  const auto other = ResultAnswer(Success(), Changed("d1e1", {{"value_hint", "ADA"}}), style);
  const auto elsewhere = ResultAnswer(Success(), Changed("d1e2", {{"value_hint", "Ada"}}), style);

  EXPECT_EQ(same.text, "ok 1 fields");
  EXPECT_EQ(other.text, "ok 1 fields\n~ d1e1 value \"ADA\"");
  EXPECT_EQ(elsewhere.text, "ok 1 fields\n~ d1e2 value \"Ada\"");
}

TEST(AnswerTest, ABoxThatDoesNotStayAsAskedIsNews) {
  const AnswerStyle style{.asked = {{.ref = "d1e1", .checked = true}}, .quiet = QuietNews::kDrop};

  EXPECT_EQ(ResultAnswer(Success(), Changed("d1e1", {{"checked", true}}), style).text, "ok");
  EXPECT_EQ(ResultAnswer(Success(), Changed("d1e1", {{"checked", false}}), style).text,
            "ok\n~ d1e1 checked no");
}

TEST(AnswerTest, TheFocusIsToldWhereItMatters) {
  const auto delta = Changed("d1e2", {{"focused", true}});

  EXPECT_EQ(ResultAnswer(Success(), delta, {}).text, "ok\nnothing changed");
  EXPECT_FALSE(ResultAnswer(Success(), delta, {}).page_at) << "these are our own words";
  EXPECT_EQ(ResultAnswer(Success(), delta, {.focus = FocusNews::kTell}).text, "ok\n~ d1e2 focused");
}

TEST(AnswerTest, AFailureSaysItsCodeAndWhatToDo) {
  const auto answer =
      ResultAnswer(Failure(Error(ErrorCode::kStaleRef, "d1e1 is gone\nok")), std::nullopt, {});

  EXPECT_TRUE(answer.is_error);
  EXPECT_EQ(answer.text,
            "error STALE_REF: d1e1 is gone\\u{a}ok\n"
            "retry: no; take browser_snapshot and use a ref from it");
}

TEST(AnswerTest, WhatAScriptSaysIsQuoted) {
  EXPECT_EQ(FailureText({.code = ErrorCode::kScriptError, .message = "Error: \"x\"\nretry: yes"}),
            "error SCRIPT_ERROR: \"Error: \\\"x\\\" retry: yes\"\nretry: no");
}

TEST(AnswerTest, AFailureSaysWhenToTryAgain) {
  EXPECT_TRUE(FailureText({.code = ErrorCode::kTimeout, .message = "late", .retryable = true})
                  .ends_with("\nretry: yes"));
  EXPECT_TRUE(FailureText({.code = ErrorCode::kTimeout,
                           .message = "late",
                           .retryable = true,
                           .retry_after = std::chrono::milliseconds(250)})
                  .ends_with("\nretry: after 250 ms"));
  EXPECT_TRUE(FailureText({.code = ErrorCode::kTimeout,
                           .message = "late",
                           .details = {{"retry_after_ms", 70}},
                           .retryable = true})
                  .ends_with("\nretry: after 70 ms"));
}

TEST(AnswerTest, ChecksThatDidNotHoldAndFailedRequestsAreTold) {
  auto result = Success();
  result.verification = model::VerificationReport::Of({{.type = model::RuleType::kPropertyState,
                                                        .severity = model::Severity::kSoft,
                                                        .verdict = model::RuleVerdict::kFailed,
                                                        .detail = "length is 3"},
                                                       {.type = model::RuleType::kNoNewErrors,
                                                        .severity = model::Severity::kSoft,
                                                        .verdict = model::RuleVerdict::kFailed},
                                                       {.type = model::RuleType::kUrlPattern,
                                                        .severity = model::Severity::kSoft,
                                                        .verdict = model::RuleVerdict::kPassed}});
  result.network_summary = json::object{
      {"failures",
       {{{"method", "POST"}, {"url", "https://a.example/x"}, {"status", 500}},
        {{"method", "GET"}, {"url", "https://b/"}, {"error_signature", "blocked_by_rule"}}}}};
  result.outcome = json::object{{"refused", {{{"url", "https://b/"}}}}};
  result.artifacts = {{.artifact_id = "dl_1", .name = "a.txt", .bytes = 7},
                      {.artifact_id = "art_1", .name = "p.png", .bytes = 9}};

  EXPECT_EQ(ResultAnswer(result, std::nullopt, {}).text,
            "ok\n"
            "check failed: property_state \"length is 3\"\n"
            "request failed: POST \"https://a.example/x\" 500\n"
            "refused by policy: 1 requests, the first to \"https://b/\"\n"
            "kept dl_1 \"a.txt\" 7 bytes");
}

TEST(AnswerTest, WhatMayHaveHappenedIsSaidToHave) {
  model::ActionExecutionResult result;
  result.failure = model::ActionFailure{.code = ErrorCode::kTimeout, .message = "too slow"};
  result.metadata["may_have_acted"] = true;

  EXPECT_TRUE(ResultAnswer(result, std::nullopt, {})
                  .text.ends_with("\nit may have happened: look before you do it again"))
      << ResultAnswer(result, std::nullopt, {}).text;
}

TEST(AnswerTest, NoAnswerIsLongerThanItsBudget) {
  model::StateDelta delta;
  delta.full = model::StructuredState{.tab_id = "t1"};
  for (int i = 0; i < 2000; ++i) {
    delta.full->elements.push_back(
        {.ref = "d1e" + std::to_string(i), .role = "button", .name = "Add to the basket"});
  }

  const auto answer = ResultAnswer(Success(), delta, {});

  EXPECT_LE(model::EstimateTokens(answer.text), kAnswerTokens);
  EXPECT_TRUE(answer.text.contains("not shown: ")) << answer.text.substr(answer.text.size() - 80);
  const std::string cut = CutToBudget(std::string(100'000, 'x'), 500);
  EXPECT_LE(model::EstimateTokens(cut), 520u);
  EXPECT_GE(model::EstimateTokens(cut), 500u) << "as much as fits";
  EXPECT_TRUE(cut.ends_with(" of 100000 bytes shown)"));
  EXPECT_EQ(CutToBudget("short", 500), "short");
}

}  // namespace
}  // namespace falconer::api
