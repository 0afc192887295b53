#include "model/contract/result.h"

#include <gtest/gtest.h>

#include "base/json/canonical_json.h"

namespace falconer::model {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

ActionExecutionResult Success() {
  ActionExecutionResult result;
  result.action_id = ActionId("act_000000000000000000000000");
  result.success = true;
  return result;
}

ActionExecutionResult Full() {
  ActionExecutionResult result = Success();
  result.turn_id = TurnId("turn_1");
  result.success = false;
  result.failure = ActionFailure{.code = ErrorCode::kWaitTimeout,
                                 .message = "popup did not open",
                                 .details = {{"kind", "popup"}},
                                 .retryable = true,
                                 .retry_after = milliseconds(500)};
  result.attempts = {{.n = 1,
                      .cause = ErrorCode::kTargetBindFailed,
                      .phase = AttemptPhase::kBind,
                      .waited = milliseconds(5'000)},
                     {.n = 2,
                      .cause = ErrorCode::kWaitTimeout,
                      .phase = AttemptPhase::kWait,
                      .waited = milliseconds(10'000),
                      .backoff = milliseconds(250)}};
  result.escalation = EscalationRecord{EscalationMode::kHumanReview, "retries are used up"};
  result.verification = VerificationReport::Of({RuleOutcome{.type = RuleType::kCount,
                                                            .severity = Severity::kSoft,
                                                            .verdict = RuleVerdict::kFailed,
                                                            .code = "COUNT_MISMATCH",
                                                            .expected = {{"n", 1}},
                                                            .observed = {{"matches", 2}},
                                                            .detail = "2 elements"}});
  result.wait_outcomes = {{{"kind", "popup"}, {"satisfied", false}, {"waited_ms", 10'000}}};
  result.pre_state_id = "s_0123456789abcdef01234567";
  result.post_state_id = "s_76543210fedcba9876543210";
  result.state_delta = {{"ops", json::array{1, 2.5}}};
  result.network_summary = json::object{{"requests", 3}};
  result.outcome = json::object{{"action_type", "click"}};
  result.artifacts = {
      {.artifact_id = "art_1", .name = "a.csv", .mime = "text/csv", .bytes = 12, .sha256 = "ab"}};
  result.timings = {{AttemptPhase::kBind, microseconds(12)},
                    {AttemptPhase::kPrecondition, microseconds(3)}};
  result.evidence_digest = "cd";
  result.ledger = LedgerPlace{.chain = "acme", .seq = 9, .record_hash = "ef"};
  result.metadata = {{"guard_summary", {{"derived", true}}}, {"budget", {{"tokens", 10}}}};
  return result;
}

TEST(ResultTest, SurvivesTheWayThereAndBackByteForByte) {
  for (const ActionExecutionResult& result : {Success(), Full()}) {
    const std::string text = json::serialize(result.ToJson());
    const auto again = ActionExecutionResult::FromJson(*ParseJson(text));
    ASSERT_TRUE(again) << Describe(again.error());
    EXPECT_EQ(*again, result);
    EXPECT_EQ(json::serialize(again->ToJson()), text);

    const auto canonical = CanonicalJson(result.ToJson());
    ASSERT_TRUE(canonical) << Describe(canonical.error());
    const auto from_canonical = ActionExecutionResult::FromJson(*ParseJson(*canonical));
    ASSERT_TRUE(from_canonical) << Describe(from_canonical.error());
    EXPECT_EQ(*CanonicalJson(from_canonical->ToJson()), *canonical);
  }
}

TEST(ResultTest, WritesItsFieldsInAFixedOrder) {
  std::vector<std::string> keys;
  for (const auto& member : Full().ToJson()) keys.emplace_back(member.key());
  EXPECT_EQ(keys, (std::vector<std::string>{
                      "action_id", "turn_id", "success", "failure", "attempts", "escalation",
                      "verification", "wait_outcomes", "pre_state_id", "post_state_id",
                      "state_delta", "network_summary", "outcome", "artifacts", "timings_us",
                      "metadata", "evidence_digest", "ledger"}));
}

TEST(ResultTest, LeavesOutWhatWasNotObserved) {
  EXPECT_EQ(json::serialize(Success().ToJson()),
            R"({"action_id":"act_000000000000000000000000","success":true})");
}

TEST(ResultTest, TheDigestCoversAllButItselfAndTheLedger) {
  const ActionExecutionResult result = Full();
  const std::string digest = *result.EvidenceDigest();
  EXPECT_EQ(digest.size(), 64U);

  ActionExecutionResult sealed = result;
  sealed.evidence_digest = digest;
  sealed.ledger->seq = 10;
  EXPECT_EQ(*sealed.EvidenceDigest(), digest);

  ActionExecutionResult changed = result;
  changed.attempts[1].waited += milliseconds(1);
  EXPECT_NE(*changed.EvidenceDigest(), digest);
  changed = result;
  changed.metadata["budget"] = 1;
  EXPECT_NE(*changed.EvidenceDigest(), digest);
}

TEST(ResultTest, AFailureComesFromAnError) {
  const auto failure =
      ActionFailure::Of(Error(ErrorCode::kElementNotFound, "no #a", {{"selector", "#a"}}));
  EXPECT_EQ(failure.code, ErrorCode::kElementNotFound);
  EXPECT_TRUE(failure.retryable);
  EXPECT_EQ(failure.message, "no #a");
  EXPECT_EQ(failure.details, (json::object{{"selector", "#a"}}));
}

TEST(ResultTest, NamesTheFieldThatIsWrong) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"success":true})", "result.action_id: is required"},
      {R"({"action_id":"a"})", "result.success: is required"},
      {R"({"action_id":"a","success":false})",
       "result.failure: is given exactly when there is no success"},
      {R"({"action_id":"a","success":true,"failure":{"code":"TIMEOUT","message":"x","retryable":true}})",
       "result.failure: is given exactly when there is no success"},
      {R"({"action_id":"a","success":false,"failure":{"code":"OOPS","message":"x","retryable":true}})",
       "result.failure.code: is not a known code"},
      {R"({"action_id":"a","success":false,"failure":{"message":"x","retryable":true}})",
       "result.failure.code: is required"},
      {R"({"action_id":"a","success":true,"attempts":[{"n":0,"waited_ms":1}]})",
       "result.attempts[0].n: must be between 1 and 1000, is 0"},
      {R"({"action_id":"a","success":true,"attempts":[{"n":1,"waited_ms":1,"phase":"nap"}]})",
       "result.attempts[0].phase: expected one of bind, execute, wait, verify, precondition, "
       "project"},
      {R"({"action_id":"a","success":true,"escalation":{"mode":"run"}})",
       "result.escalation.mode: expected one of retry_rebind, vision_fallback, human_review, "
       "fail_workflow"},
      {R"({"action_id":"a","success":true,"wait_outcomes":[1]})",
       "result.wait_outcomes[0]: expected object"},
      {R"({"action_id":"a","success":true,"ledger":{"chain":"c","seq":-1,"record_hash":"h"}})",
       "result.ledger.seq: must be between 0 and 9007199254740991, is -1"},
      {R"({"action_id":"a","success":true,"timings_us":{"nap":1}})",
       "result.timings_us.nap: unknown field; known are bind, execute, wait, verify, precondition, "
       "project"},
      {R"({"action_id":"a","success":true,"telemetry":{}})", "result.telemetry: unknown field; "},
  };
  for (const auto& [text, why] : cases) {
    const auto result = ActionExecutionResult::FromJson(*ParseJson(text));
    ASSERT_FALSE(result) << text;
    EXPECT_TRUE(result.error().message().starts_with(why))
        << text << "\n  expected " << why << "\n  got      " << result.error().message();
  }
}

}  // namespace
}  // namespace falconer::model
