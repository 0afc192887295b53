#include "model/contract/contract_schema.h"

#include <utility>

#include "model/contract/contract.h"
#include "model/contract/plan_dag.h"
#include "model/contract/plan_result.h"
#include "model/contract/result.h"
#include "model/contract/schema_parts.h"

namespace falconer::model {
namespace {

json::object CallerId() {
  return PatternSchema("^[A-Za-z0-9._:@/+-]+$", kMaxContractIdLength);
}

json::object RectSchema() {
  return ObjectSchema({{"x", NumberSchema(kCoordinates)},
                       {"y", NumberSchema(kCoordinates)},
                       {"width", NumberSchema(kSizes)},
                       {"height", NumberSchema(kSizes)}},
                      {"x", "y", "width", "height"});
}

json::object CodeSchema() {
  json::array names;
  for (const ErrorTraits& row : AllErrorCodes()) names.emplace_back(row.name);
  return {{"enum", std::move(names)}};
}

json::object TimeoutSchema() {
  json::object properties;
  for (const TimeoutRow& row : kTimeouts) properties[row.name] = WholeSchema(kPhaseTimeoutMs);
  return ObjectSchema(std::move(properties), {});
}

json::object RetrySchema() {
  return ObjectSchema({{"profile", EnumSchema(kRetryProfiles)},
                       {"max_attempts", WholeSchema(kAttemptCounts)},
                       {"initial_backoff_ms", WholeSchema(kBackoffMs)},
                       {"max_backoff_ms", WholeSchema(kBackoffMs)},
                       {"multiplier", NumberSchema(kMultipliers)},
                       {"retryable_codes", ListSchema(Ref("error_code"), 0, kMaxRetryableCodes)}},
                      {});
}

json::object EscalationSchema() {
  return ObjectSchema({{"on_exhausted_retries", EnumSchema(kEscalationModes)},
                       {"on_non_retryable", EnumSchema(kEscalationModes)}},
                      {});
}

json::object IdempotencySchema() {
  return ObjectSchema({{"scope", EnumSchema(kIdempotencyScopes)}, {"key", CallerId()}}, {});
}

json::object MetadataSchema() {
  return ObjectSchema({{"high_risk_approved", AnyBool()}}, {}, Openness::kOpen);
}

json::object ContractDef() {
  json::object properties{{"contract_version", {{"const", kContractVersion}}},
                          {"workflow_id", CallerId()},
                          {"run_id", CallerId()},
                          {"step_index", WholeSchema(kStepIndexes)},
                          {"intent", TextSchema(0, kMaxIntentLength)},
                          {"agent_id", CallerId()},
                          {"preconditions", ListSchema(Ref("rule_any_time"), 0, kMaxRules)},
                          {"action_spec", Ref("action_spec")},
                          {"expected_postconditions", ListSchema(Ref("rule"), 0, kMaxRules)},
                          {"verification_rules", ListSchema(Ref("rule"), 0, kMaxRules)},
                          {"wait_conditions", ListSchema(Ref("wait_condition"), 0, kMaxWaits)},
                          {"timeout", TimeoutSchema()},
                          {"retry", RetrySchema()},
                          {"escalation", EscalationSchema()},
                          {"deadline_unix_ms", WholeSchema(kUnixMs)},
                          {"dry_run", AnyBool()},
                          {"idempotency", IdempotencySchema()},
                          {"metadata", MetadataSchema()}};
  return ObjectSchema(std::move(properties), {"workflow_id"});
}

json::object StepSchema() {
  return ObjectSchema({{"step_id", CallerId()},
                       {"depends_on", ListSchema(CallerId(), 0, kMaxPlanSteps)},
                       {"parallel_group", WholeSchema(kParallelGroups)},
                       {"contract", Ref("contract")},
                       {"expected_outcome", TextSchema(0, kMaxOutcomeLength)},
                       {"timeout_ms", WholeSchema(kStepTimeoutMs)},
                       {"compensation", Ref("contract")}},
                      {"step_id", "contract"});
}

json::object PlanMetadataSchema() {
  return ObjectSchema({{"created_at", PatternSchema(kTimestampPattern, 64)},
                       {"planner_model", TextSchema(0, kMaxContractIdLength)},
                       {"confidence", NumberSchema(kConfidences)},
                       {"estimated_duration_ms", WholeSchema(kDurationsMs)}},
                      {});
}

json::object PlanDef() {
  return ObjectSchema({{"plan_id", CallerId()},
                       {"intent", TextSchema(0, kMaxIntentLength)},
                       {"steps", ListSchema(StepSchema(), 1, kMaxPlanSteps)},
                       {"success_criteria", ListSchema(Ref("rule_any_time"), 0, kMaxRules)},
                       {"rollback", ObjectSchema({{"on_failure", EnumSchema(kRollbacks)}}, {})},
                       {"metadata", PlanMetadataSchema()}},
                      {"plan_id", "steps"});
}

json::object AnyList(json::object items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

json::object FailureProperties() {
  return {{"code", Ref("error_code")},
          {"message", AnyText()},
          {"retryable", AnyBool()},
          {"details", AnyObject()},
          {"retry_after_ms", WholeSchema(kNotNegative)}};
}

json::object FailureSchema(json::object properties) {
  return ObjectSchema(std::move(properties), {"code", "message", "retryable"});
}

// A failure is given exactly when there is no success.
void TieFailure(json::object& schema) {
  schema["if"] = {{"properties", {{"success", {{"const", true}}}}}};
  schema["then"] = {{"not", Requires({"failure"})}};
  schema["else"] = Requires({"failure"});
}

json::object AttemptSchema() {
  return ObjectSchema({{"n", WholeSchema({1, 1'000})},
                       {"cause", Ref("error_code")},
                       {"phase", EnumSchema(kAttemptPhases)},
                       {"waited_ms", WholeSchema(kNotNegative)},
                       {"backoff_ms", WholeSchema(kNotNegative)}},
                      {"n", "waited_ms"});
}

json::object OutcomeSchema() {
  json::array types;
  json::array codes{json::string(kNotObserved)};
  for (const RuleTraits& row : AllRuleTypes()) {
    types.emplace_back(row.name);
    codes.emplace_back(row.failure_code);
  }
  return ObjectSchema({{"rule_type", {{"enum", std::move(types)}}},
                       {"severity", EnumSchema(kSeverities)},
                       {"verdict", EnumSchema(kRuleVerdicts)},
                       {"code", {{"enum", std::move(codes)}}},
                       {"expected", AnyObject()},
                       {"observed", true},
                       {"detail", TextSchema(1, kMaxOutcomeDetail)}},
                      {"rule_type", "severity", "verdict"});
}

json::object ReportSchema() {
  return ObjectSchema(
      {{"passed", AnyBool()}, {"outcomes", ListSchema(OutcomeSchema(), 0, kMaxReportOutcomes)}},
      {"passed", "outcomes"});
}

json::object ArtifactSchema() {
  return ObjectSchema({{"artifact_id", AnyText()},
                       {"name", AnyText()},
                       {"mime", AnyText()},
                       {"bytes", WholeSchema(kNotNegative)},
                       {"sha256", AnyText()}},
                      {"artifact_id", "bytes"});
}

json::object TimingsSchema() {
  json::object properties;
  for (const auto& [phase, name] : kAttemptPhases) properties[name] = WholeSchema(kNotNegative);
  return ObjectSchema(std::move(properties), {});
}

json::object ResultDef() {
  json::object properties{
      {"action_id", TextSchema(1, 128)},
      {"turn_id", AnyText()},
      {"success", AnyBool()},
      {"failure", FailureSchema(FailureProperties())},
      {"attempts", AnyList(AttemptSchema())},
      {"escalation", ObjectSchema({{"mode", EnumSchema(kEscalationModes)}, {"reason", AnyText()}},
                                  {"mode", "reason"})},
      {"verification", ReportSchema()},
      {"wait_outcomes", AnyList(AnyObject())},
      {"pre_state_id", AnyText()},
      {"post_state_id", AnyText()},
      {"state_delta", AnyObject()},
      {"network_summary", AnyObject()},
      {"outcome", AnyObject()},
      {"artifacts", AnyList(ArtifactSchema())},
      {"timings_us", TimingsSchema()},
      {"metadata", AnyObject()},
      {"evidence_digest", AnyText()},
      {"ledger",
       ObjectSchema(
           {{"chain", AnyText()}, {"seq", WholeSchema(kNotNegative)}, {"record_hash", AnyText()}},
           {"chain", "seq", "record_hash"})}};
  json::object out = ObjectSchema(std::move(properties), {"action_id", "success"});
  TieFailure(out);
  return out;
}

json::object PlanResultDef() {
  const json::object row = ObjectSchema(
      {{"step_id", CallerId()}, {"status", EnumSchema(kStepStatuses)}, {"result", Ref("result")}},
      {"step_id", "status"});
  json::object failure = FailureProperties();
  failure["step_id"] = CallerId();
  json::object out = ObjectSchema(
      {{"plan_id", CallerId()},
       {"success", AnyBool()},
       {"steps", AnyList(row)},
       {"criteria",
        ObjectSchema({{"passed", AnyBool()}, {"result", Ref("result")}}, {"passed", "result"})},
       {"compensated", AnyList(row)},
       {"failure", FailureSchema(std::move(failure))}},
      {"plan_id", "success", "steps", "compensated"});
  TieFailure(out);
  return out;
}

json::object ContractDefs() {
  json::object defs{{"error_code", CodeSchema()}, {"rect", RectSchema()}};
  AddActionDefs(defs);
  AddWaitDefs(defs);
  AddRuleDefs(defs);
  defs["contract"] = ContractDef();
  return defs;
}

json::object Document(std::string_view name, std::string_view title, json::object defs) {
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"$id", "urn:falconer:schema:" + std::string(name) + ":1"},
          {"title", title},
          {"$ref", "#/$defs/" + std::string(name)},
          {"$defs", std::move(defs)}};
}

}  // namespace

json::object ContractSchema() {
  return Document("contract", "Falconer ActionContract", ContractDefs());
}

json::object PlanSchema() {
  json::object defs = ContractDefs();
  defs["plan"] = PlanDef();
  return Document("plan", "Falconer TaskPlan", std::move(defs));
}

json::object ResultSchema() {
  return Document("result", "Falconer ActionExecutionResult",
                  {{"error_code", CodeSchema()}, {"result", ResultDef()}});
}

json::object PlanResultSchema() {
  return Document(
      "plan_result", "Falconer PlanRunResult",
      {{"error_code", CodeSchema()}, {"result", ResultDef()}, {"plan_result", PlanResultDef()}});
}

}  // namespace falconer::model
