// ActionContract to and from JSON.

#include <fmt/format.h>
#include <utility>

#include "model/contract/contract.h"
#include "model/write_text.h"

namespace falconer::model {
namespace {

std::string Below(const JsonReader& in, std::string_view key) {
  return in.path().empty() ? std::string(key) : fmt::format("{}.{}", in.path(), key);
}

void ReadVersion(JsonReader& in) {
  const auto version = in.OptionalInteger("contract_version");
  if (!version || *version == kContractVersion) return;
  in.Reject("contract_version", fmt::format("{} is not known; this program reads version {}",
                                            *version, kContractVersion));
}

// The parts below fail with codes of their own, so they are read by their own readers.
ActionSpec ReadAction(JsonReader& in) {
  const auto value = in.OptionalRawValue("action_spec");
  if (!value) return {};
  Result<ActionSpec> spec = ActionSpec::FromJson(*value, Below(in, "action_spec"));
  if (spec) return *std::move(spec);
  in.Reject(std::move(spec).error());
  return {};
}

std::vector<WaitCondition> ReadWaits(JsonReader& in) {
  std::vector<WaitCondition> waits;
  const json::array list = in.OptionalRawArray("wait_conditions").value_or(json::array());
  if (list.size() > kMaxWaits) {
    in.Reject("wait_conditions",
              fmt::format("must have at most {} elements, has {}", kMaxWaits, list.size()));
  }
  for (std::size_t i = 0; i < list.size() && !in.failed(); ++i) {
    auto wait = WaitCondition::FromJson(list[i], Below(in, fmt::format("wait_conditions[{}]", i)));
    if (!wait) {
      in.Reject(std::move(wait).error());
      break;
    }
    waits.push_back(*std::move(wait));
  }
  return waits;
}

Idempotency ReadIdempotency(JsonReader& in) {
  return {
      .scope = in.OptionalEnum("scope", kIdempotencyScopes).value_or(IdempotencyScope::kWorkflow),
      .key = ReadCallerId(in, "key")};
}

json::object IdempotencyJson(const Idempotency& idempotency) {
  json::object out;
  if (idempotency.scope != IdempotencyScope::kWorkflow) {
    out["scope"] = NameIn(kIdempotencyScopes, idempotency.scope);
  }
  if (!idempotency.key.empty()) out["key"] = idempotency.key;
  return out;
}

void WriteObject(json::object& out, std::string_view key, json::object object) {
  if (!object.empty()) out[key] = std::move(object);
}

void WriteRules(json::object& out, std::string_view key,
                const std::vector<VerificationRule>& rules) {
  if (!rules.empty()) out[key] = RulesJson(rules);
}

void WriteWaits(json::object& out, const std::vector<WaitCondition>& waits) {
  if (waits.empty()) return;
  json::array& list = out["wait_conditions"].emplace_array();
  for (const WaitCondition& wait : waits) list.emplace_back(wait.ToJson());
}

}  // namespace

std::string ReadCallerId(JsonReader& in, std::string_view key) {
  std::string id = in.OptionalString(key, {1, kMaxContractIdLength}).value_or("");
  if (!IsCallerId(id)) in.Reject(key, kNotACallerId);
  return id;
}

std::vector<VerificationRule> ReadRules(JsonReader& in, std::string_view key, RuleUse use) {
  const auto read = [use](JsonReader& one) {
    VerificationRule rule = ReadRule(one);
    const bool is_too_early = use == RuleUse::kAnyTime && rule.use() == RuleUse::kAfterAction;
    if (!one.failed() && is_too_early) {
      one.Reject("rule_type", "can only be judged after an action");
    }
    return rule;
  };
  return in.OptionalObjects(key, read, {0, kMaxRules});
}

json::array RulesJson(const std::vector<VerificationRule>& rules) {
  json::array list;
  list.reserve(rules.size());
  for (const VerificationRule& rule : rules) list.emplace_back(rule.ToJson());
  return list;
}

ActionContract ReadContract(JsonReader& in) {
  ReadVersion(in);
  ActionContract contract;
  if (!in.Has("workflow_id")) in.Reject("workflow_id", "is required");
  contract.workflow_id = WorkflowId(ReadCallerId(in, "workflow_id"));
  contract.run_id = RunId(ReadCallerId(in, "run_id"));
  contract.step_index = in.OptionalInteger("step_index", kStepIndexes).value_or(0);
  contract.intent = in.OptionalString("intent").value_or("");
  contract.agent_id = AgentId(ReadCallerId(in, "agent_id"));
  contract.preconditions = ReadRules(in, "preconditions", RuleUse::kAnyTime);
  contract.action_spec = ReadAction(in);
  contract.expected_postconditions =
      ReadRules(in, "expected_postconditions", RuleUse::kAfterAction);
  contract.verification_rules = ReadRules(in, "verification_rules", RuleUse::kAfterAction);
  contract.wait_conditions = ReadWaits(in);
  contract.timeout = in.OptionalObject("timeout", ReadTimeoutPolicy).value_or(TimeoutPolicy());
  contract.retry = in.OptionalObject("retry", ReadRetryPolicy).value_or(RetryPolicy());
  contract.escalation =
      in.OptionalObject("escalation", ReadEscalationPolicy).value_or(EscalationPolicy());
  contract.deadline = in.OptionalMilliseconds("deadline_unix_ms", kUnixMs);
  contract.dry_run = in.OptionalBool("dry_run").value_or(false);
  contract.idempotency = in.OptionalObject("idempotency", ReadIdempotency).value_or(Idempotency());
  contract.metadata = in.OptionalRawObject("metadata").value_or(json::object());
  if (in.failed()) return contract;
  if (auto valid = contract.CheckContent(); !valid) {
    Error error = std::move(valid).error();
    in.Reject(in.path().empty() ? std::move(error) : std::move(error).In(in.path()));
  }
  return contract;
}

Result<ActionContract> ActionContract::FromJson(const json::value& value, std::string path) {
  return ReadJson(value, std::move(path), ReadContract, ErrorCode::kInvalidContract);
}

json::object ActionContract::ToJson() const {
  json::object out{{"workflow_id", workflow_id.value()}};
  WriteText(out, "run_id", run_id.value());
  if (step_index != 0) out["step_index"] = step_index;
  WriteText(out, "intent", intent);
  WriteText(out, "agent_id", agent_id.value());
  WriteRules(out, "preconditions", preconditions);
  if (action_spec != ActionSpec()) out["action_spec"] = action_spec.ToJson();
  WriteRules(out, "expected_postconditions", expected_postconditions);
  WriteRules(out, "verification_rules", verification_rules);
  WriteWaits(out, wait_conditions);
  WriteObject(out, "timeout", timeout.ToJson());
  WriteObject(out, "retry", retry.ToJson());
  WriteObject(out, "escalation", escalation.ToJson());
  if (deadline) out["deadline_unix_ms"] = deadline->count();
  if (dry_run) out["dry_run"] = true;
  WriteObject(out, "idempotency", IdempotencyJson(idempotency));
  WriteObject(out, "metadata", metadata);
  return out;
}

}  // namespace falconer::model
