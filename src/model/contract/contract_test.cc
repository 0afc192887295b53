#include "model/contract/contract.h"

#include <set>

#include <gtest/gtest.h>

#include "base/json/canonical_json.h"

namespace falconer::model {
namespace {

Result<ActionContract> ParseContract(std::string_view text) {
  const auto value = ParseJson(text);
  EXPECT_TRUE(value) << text;
  return ActionContract::FromJson(*value);
}

std::string IdOf(const json::value& contract) {
  const auto read = ActionContract::FromJson(contract);
  EXPECT_TRUE(read) << Describe(read.error());
  return read ? read->Identify()->action_id.value() : "";
}

constexpr std::string_view kMinimal = R"({"workflow_id":"w1"})";

constexpr std::string_view kClick = R"({"workflow_id":"orders","run_id":"r-7","step_index":3,
  "intent":"save the order",
  "action_spec":{"action_type":"click","selector":"#save"},
  "wait_conditions":[{"kind":"response","payload":{"url_pattern":"/api/orders"}}],
  "verification_rules":[{"rule_type":"text_state","payload":{"selector":"#status","expected":"Saved"}}],
  "metadata":{"ticket":"T-1","nested":{"b":1,"a":2}}})";

// Every field, none at its default.
constexpr std::string_view kFullContract = R"({"workflow_id":"orders","run_id":"r-7","step_index":3,
  "intent":"save the order","agent_id":"agent@home",
  "preconditions":[{"rule_type":"element_present","payload":{"selector":"#save","state":"enabled"}}],
  "action_spec":{"action_type":"click","selector":"#save"},
  "expected_postconditions":[{"rule_type":"no_new_errors"}],
  "verification_rules":[{"rule_type":"text_state","severity":"soft","payload":{"selector":"#status","expected":"Saved"}}],
  "wait_conditions":[{"kind":"state_change","payload":{},"timeout_ms":5000}],
  "timeout":{"total_ms":60000,"bind_ms":1000},
  "retry":{"profile":"abos","max_attempts":1},
  "escalation":{"on_non_retryable":"vision_fallback"},
  "deadline_unix_ms":1893456000000,
  "dry_run":true,
  "idempotency":{"scope":"run","key":"k1"},
  "metadata":{"high_risk_approved":true,"list":[1,2.5,"x",null]}})";

TEST(ContractTest, SurvivesTheWayThereAndBack) {
  for (const std::string_view text : {kMinimal, kClick, kFullContract}) {
    const auto contract = ParseContract(text);
    ASSERT_TRUE(contract) << Describe(contract.error());
    const auto again = ActionContract::FromJson(contract->ToJson());
    ASSERT_TRUE(again) << Describe(again.error());
    EXPECT_EQ(*again, *contract);
    EXPECT_EQ(json::serialize(again->ToJson()), json::serialize(contract->ToJson()));
  }
  EXPECT_EQ(json::value(ParseContract(kFullContract)->ToJson()), *ParseJson(kFullContract));
}

TEST(ContractTest, HasDefaultsForEverythingButTheWorkflow) {
  const auto contract = ParseContract(kMinimal);
  ASSERT_TRUE(contract);
  EXPECT_EQ(contract->action_spec.type, ActionType::kWaitOnly);
  EXPECT_EQ(contract->step_index, 0);
  EXPECT_EQ(contract->timeout, TimeoutPolicy());
  EXPECT_EQ(contract->retry, RetryPolicy());
  EXPECT_EQ(contract->escalation, EscalationPolicy());
  EXPECT_TRUE(contract->Validate());
  EXPECT_EQ(json::value(contract->ToJson()), *ParseJson(kMinimal));
}

struct BadContract {
  std::string_view text;
  std::string_view why;
  ErrorCode code = ErrorCode::kInvalidContract;
};

constexpr BadContract kBadContracts[] = {
    {R"([])", "expected object, got array"},
    {R"({})", "workflow_id: is required"},
    {R"({"workflow_id":""})", "workflow_id: length must be between 1 and 128 bytes, is 0"},
    {R"({"workflow_id":"a b"})",
     "workflow_id: has a character other than letters, digits and . _ : @ / + -"},
    {R"({"workflow_id":7})", "workflow_id: expected string, got number"},
    {R"({"workflow_id":"w","contract_version":2})",
     "contract_version: 2 is not known; this program reads version 1"},
    {R"({"workflow_id":"w","tenant_id":"acme"})", "tenant_id: unknown field; known are "},
    {R"({"workflow_id":"w","step_index":-1})", "step_index: must be between 0 and 1000000, is -1"},
    {R"({"workflow_id":"w","run_id":"a\nb"})", "run_id: has a character other than "},
    {R"({"workflow_id":"w","preconditions":[{"rule_type":"network_status","payload":{"url_pattern":"/"}}]})",
     "preconditions[0].rule_type: can only be judged after an action"},
    {R"({"workflow_id":"w","preconditions":[{"rule_type":"invariant","payload":{"name":"url_unchanged"}}]})",
     "preconditions[0].rule_type: can only be judged after an action"},
    {R"({"workflow_id":"w","verification_rules":[{"rule_type":"no_new_errors"},{"rule_type":"count","payload":{"selector":"li"}}]})",
     "verification_rules[1].payload.n: is required"},
    {R"({"workflow_id":"w","expected_postconditions":{}})",
     "expected_postconditions: expected array, got object"},
    {R"({"workflow_id":"w","action_spec":{"action_type":"fly"}})",
     "action_spec.action_type: is not a known action", ErrorCode::kInvalidActionSpec},
    {R"({"workflow_id":"w","action_spec":{"action_type":"navigate"}})",
     "action_spec: url: is required by navigate", ErrorCode::kInvalidActionSpec},
    {R"({"workflow_id":"w","action_spec":{"action_type":"navigate","url":"ftp://x.test/"}})",
     "action_spec: url: ", ErrorCode::kInvalidActionSpec},
    {R"({"workflow_id":"w","action_spec":{"action_type":"navigate","url":"javascript:1"}})",
     "action_spec: url: ", ErrorCode::kInvalidActionSpec},
    {R"({"workflow_id":"w","action_spec":{"action_type":"click","selector":"body *"}})",
     "action_spec.selector: ", ErrorCode::kInvalidSelector},
    {R"({"workflow_id":"w","action_spec":{"action_type":"upload","selector":"#f"}})",
     "action_spec: files: is required by upload", ErrorCode::kInvalidActionSpec},
    {R"({"workflow_id":"w","wait_conditions":[{"kind":"popup"},{"kind":"sometime"}]})",
     "wait_conditions[1].kind: is not a known condition", ErrorCode::kInvalidWaitCondition},
    {R"({"workflow_id":"w","wait_conditions":[{"kind":"popup","timeout_ms":-1}]})",
     "wait_conditions[0]: timeout_ms: must be between 0 and 600000",
     ErrorCode::kInvalidWaitCondition},
    {R"({"workflow_id":"w","timeout":{"total_ms":0}})",
     "timeout.total_ms: must be between 1 and 600000, is 0"},
    {R"({"workflow_id":"w","retry":{"max_attempts":11}})",
     "retry.max_attempts: must be between 1 and 10, is 11"},
    {R"({"workflow_id":"w","escalation":{"on_timeout":"x"}})",
     "escalation.on_timeout: unknown field; "},
    {R"({"workflow_id":"w","deadline_unix_ms":0})", "deadline_unix_ms: must be between 1 and "},
    {R"({"workflow_id":"w","dry_run":"yes"})", "dry_run: expected bool, got string"},
    {R"({"workflow_id":"w","idempotency":{"scope":"planet"}})",
     "idempotency.scope: expected one of workflow, run"},
    {R"({"workflow_id":"w","idempotency":{"scope":"run"}})",
     "idempotency.scope: run needs a run_id"},
    {R"({"workflow_id":"w","metadata":[]})", "metadata: expected object, got array"},
    {R"({"workflow_id":"w","metadata":{"high_risk_approved":"true"}})",
     "metadata.high_risk_approved: expected bool, got string"},
    {R"({"workflow_id":"w","metadata":{"a":[[[[[[[[1]]]]]]]]}})",
     "metadata: is nested deeper than 8"},
    {R"({"workflow_id":"w","metadata":{"n":9007199254740993}})",
     "canonical JSON: metadata.n: the whole number is not exact as a double"},
};

TEST(ContractTest, NamesTheFieldThatIsWrong) {
  for (const auto& [text, why, code] : kBadContracts) {
    const auto contract = ParseContract(text);
    ASSERT_FALSE(contract) << text;
    EXPECT_TRUE(contract.error().message().starts_with(why))
        << text << "\n  expected " << why << "\n  got      " << contract.error().message();
    EXPECT_EQ(contract.error().code(), code) << text << ": " << Describe(contract.error());
  }
}

TEST(ContractTest, NamesTheWayToAContractInsideAnotherDocument) {
  const auto contract = ActionContract::FromJson(
      *ParseJson(R"({"workflow_id":"w","action_spec":{"action_type":"navigate"}})"), "request");
  EXPECT_EQ(contract.error().message(), "request.action_spec: url: is required by navigate");
}

TEST(ContractTest, BoundsWhatItHolds) {
  json::object contract{{"workflow_id", "w"}};
  contract["intent"] = std::string(kMaxIntentLength + 1, 'a');
  EXPECT_EQ(ActionContract::FromJson(contract).error().message(), "intent: is longer than 1024");
  contract.erase("intent");

  contract["metadata"] = {{"text", std::string(kMaxMetadataBytes, 'a')}};
  EXPECT_EQ(ActionContract::FromJson(contract).error().message(),
            "metadata: is larger than 16384 bytes");
  contract.erase("metadata");

  const json::object rule{{"rule_type", "no_new_errors"}};
  contract["verification_rules"] = json::array(kMaxRules + 1, rule);
  EXPECT_EQ(ActionContract::FromJson(contract).error().message(),
            "verification_rules: must have at most 32 elements, has 33");
  contract.erase("verification_rules");

  contract["wait_conditions"] = json::array(kMaxWaits + 1, json::object{{"kind", "popup"}});
  EXPECT_EQ(ActionContract::FromJson(contract).error().message(),
            "wait_conditions: must have at most 16 elements, has 17");
}

TEST(ContractTest, AnActionWithoutAGuardIsRefused) {
  const std::string_view bare =
      R"({"workflow_id":"w","action_spec":{"action_type":"click","selector":"#a"}})";
  EXPECT_EQ(ParseContract(bare)->Validate().error().code(), ErrorCode::kMissingPostActionGuard);
  const std::pair<std::string_view, std::string_view> guards[] = {
      {"wait_conditions", R"([{"kind":"popup"}])"},
      {"verification_rules", R"([{"rule_type":"no_new_errors"}])"},
      {"expected_postconditions", R"([{"rule_type":"no_new_errors"}])"},
  };
  for (const auto& [key, value] : guards) {
    json::object contract = ParseJson(bare)->as_object();
    contract[key] = *ParseJson(value);
    EXPECT_TRUE(ActionContract::FromJson(contract)->Validate()) << key;
  }
  json::object only_before = ParseJson(bare)->as_object();
  only_before["preconditions"] = *ParseJson(R"([{"rule_type":"count","selector":"li","n":1}])");
  EXPECT_FALSE(ActionContract::FromJson(only_before)->Validate());
}

// The ids were computed by other means: sha256sum over the prefix and the canonical text.
TEST(ContractTest, ActionIdsAreStable) {
  const std::pair<std::string_view, std::string_view> golden[] = {
      {kMinimal, "ddc88c6aa8b53419f4bb8f5fc796161944d7f31f41a7133f7c85a2345252bd14"},
      {kClick, "4f02cf75a60aa3c23026adf3ef58e970c078e8ee8f35d3f21976bfb606578c55"},
      {kFullContract, "d63f5377e1573cec40307cdc30160d02806e6c0971e9822e6ec4c53b696c7cb1"},
  };
  for (const auto& [text, digest] : golden) {
    const auto identity = ParseContract(text)->Identify();
    ASSERT_TRUE(identity);
    EXPECT_EQ(identity->digest, digest) << *ParseContract(text)->CanonicalBytes();
    EXPECT_EQ(identity->action_id.value(), "act_" + std::string(digest.substr(0, 24)));
  }
}

TEST(ContractTest, TheOrderOfKeysDoesNotChangeTheId) {
  const json::object contract = ParseJson(kFullContract)->as_object();
  json::object reversed;
  for (auto member = contract.end(); member != contract.begin();) {
    --member;
    reversed.emplace(member->key(), member->value());
  }
  json::object& metadata = reversed["metadata"].as_object();
  const json::value approved = metadata["high_risk_approved"];
  metadata.erase("high_risk_approved");
  metadata["high_risk_approved"] = approved;

  EXPECT_NE(json::serialize(reversed), json::serialize(contract));
  EXPECT_EQ(IdOf(reversed), IdOf(contract));
}

TEST(ContractTest, WhatEqualsADefaultDoesNotChangeTheId) {
  json::object spelled = ParseJson(kClick)->as_object();
  spelled["contract_version"] = 1;
  spelled["dry_run"] = false;
  spelled["timeout"] = {{"total_ms", 30'000}};
  spelled["retry"] = {{"multiplier", 2}};
  spelled["preconditions"] = json::array();
  EXPECT_EQ(IdOf(spelled), IdOf(*ParseJson(kClick)));
}

TEST(ContractTest, AnyChangeGivesAnotherId) {
  const std::pair<std::string_view, std::string_view> changes[] = {
      {"workflow_id", R"("orders2")"},
      {"run_id", R"("r-8")"},
      {"step_index", "4"},
      {"intent", R"("save the order!")"},
      {"agent_id", R"("agent@work")"},
      {"preconditions", "[]"},
      {"action_spec", R"({"action_type":"click","selector":"#save2"})"},
      {"expected_postconditions", "[]"},
      {"verification_rules",
       R"([{"rule_type":"text_state","payload":{"selector":"#status","expected":"Saved"}}])"},
      {"wait_conditions", R"([{"kind":"state_change","payload":{},"timeout_ms":5001}])"},
      {"timeout", R"({"total_ms":60000,"bind_ms":1001})"},
      {"retry", R"({"profile":"abos","max_attempts":2})"},
      {"escalation", R"({"on_non_retryable":"retry_rebind"})"},
      {"deadline_unix_ms", "1893456000001"},
      {"dry_run", "false"},
      {"idempotency", R"({"scope":"run","key":"k2"})"},
      {"metadata", R"({"high_risk_approved":false,"list":[1,2.5,"x",null]})"},
  };
  std::set<std::string> ids = {IdOf(*ParseJson(kFullContract))};
  for (const auto& [key, value] : changes) {
    json::object changed = ParseJson(kFullContract)->as_object();
    ASSERT_TRUE(changed.contains(key)) << key;
    changed[key] = *ParseJson(value);
    EXPECT_TRUE(ids.insert(IdOf(changed)).second) << key;
  }
  EXPECT_EQ(ids.size(), ParseJson(kFullContract)->as_object().size() + 1)
      << "a field is not covered";
}

TEST(ContractTest, AcceptsAWellFormedClick) {
  const auto contract = ParseContract(kClick);
  ASSERT_TRUE(contract);
  EXPECT_TRUE(contract->Validate());
  EXPECT_EQ(contract->action_spec.type, ActionType::kClick);
}

TEST(ContractTest, ValidatesWhatWasBuiltByHand) {
  ActionContract contract;
  EXPECT_EQ(contract.Validate().error().message(), "workflow_id: is required");
  contract.workflow_id = WorkflowId("w");
  EXPECT_TRUE(contract.Validate());
  contract.step_index = -1;
  EXPECT_EQ(contract.Validate().error().message(), "step_index: must be between 0 and 1000000");
  contract.step_index = 0;
  contract.retry.max_attempts = 0;
  EXPECT_EQ(contract.Validate().error().message(), "retry: max_attempts: must be between 1 and 10");
  contract.retry = {};
  contract.preconditions = {{.type = RuleType::kNoNewErrors, .payload = std::monostate()}};
  EXPECT_EQ(contract.Validate().error().message(),
            "preconditions[0]: can only be judged after an action");
}

}  // namespace
}  // namespace falconer::model
