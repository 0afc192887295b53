// The rules of an ActionContract, and its identity.

#include "model/contract/contract.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/hex.h"
#include "base/json/canonical_json.h"
#include "base/text.h"
#include "base/utf8.h"

namespace falconer::model {
namespace {

constexpr std::size_t kShownDigits = 24;

std::unexpected<Error> RefuseContract(std::string_view field, std::string_view why) {
  return std::unexpected(
      Error(ErrorCode::kInvalidContract, fmt::format("{}: {}", field, why), {{"field", field}}));
}

Result<void> Under(std::string_view field, Result<void> result) {
  if (result) return result;
  return Fail(std::move(result).error().In(field));
}

Result<void> CheckId(std::string_view field, std::string_view id) {
  if (id.size() > kMaxContractIdLength) {
    return RefuseContract(field, fmt::format("is longer than {} bytes", kMaxContractIdLength));
  }
  if (!IsCallerId(id)) return RefuseContract(field, kNotACallerId);
  return {};
}

Result<void> CheckIds(const ActionContract& contract) {
  if (contract.workflow_id.empty()) return RefuseContract("workflow_id", "is required");
  TRY(CheckId("workflow_id", contract.workflow_id.value()));
  TRY(CheckId("run_id", contract.run_id.value()));
  TRY(CheckId("agent_id", contract.agent_id.value()));
  TRY(CheckId("idempotency.key", contract.idempotency.key));
  if (contract.idempotency.scope == IdempotencyScope::kRun && contract.run_id.empty()) {
    return RefuseContract("idempotency.scope", "run needs a run_id");
  }
  return {};
}

Result<void> CheckScalars(const ActionContract& contract) {
  if (!kStepIndexes.Contains(contract.step_index)) {
    return RefuseContract("step_index", fmt::format("must be between 0 and {}", kStepIndexes.max));
  }
  if (contract.deadline && !kUnixMs.Contains(contract.deadline->count())) {
    return RefuseContract("deadline_unix_ms", "is no time");
  }
  if (!IsValidUtf8(contract.intent)) return RefuseContract("intent", "is not UTF-8");
  if (Utf8Length(contract.intent) > kMaxIntentLength) {
    return RefuseContract("intent", fmt::format("is longer than {}", kMaxIntentLength));
  }
  return {};
}

Result<void> CheckRules(std::string_view field, const std::vector<VerificationRule>& rules,
                        RuleUse use) {
  if (rules.size() > kMaxRules) {
    return RefuseContract(field, fmt::format("has more than {} rules", kMaxRules));
  }
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const std::string where = fmt::format("{}[{}]", field, i);
    TRY(Under(where, rules[i].Validate()));
    if (use == RuleUse::kAnyTime && rules[i].use() == RuleUse::kAfterAction) {
      return RefuseContract(where, "can only be judged after an action");
    }
  }
  return {};
}

Result<void> CheckAllRules(const ActionContract& contract) {
  TRY(CheckRules("preconditions", contract.preconditions, RuleUse::kAnyTime));
  TRY(CheckRules("expected_postconditions", contract.expected_postconditions,
                 RuleUse::kAfterAction));
  return CheckRules("verification_rules", contract.verification_rules, RuleUse::kAfterAction);
}

Result<void> CheckWaits(const ActionContract& contract) {
  if (contract.wait_conditions.size() > kMaxWaits) {
    return RefuseContract("wait_conditions", fmt::format("has more than {}", kMaxWaits));
  }
  for (std::size_t i = 0; i < contract.wait_conditions.size(); ++i) {
    TRY(Under(fmt::format("wait_conditions[{}]", i), contract.wait_conditions[i].Validate()));
  }
  return {};
}

Result<void> CheckPolicies(const ActionContract& contract) {
  TRY(Under("timeout", contract.timeout.Validate()));
  return Under("retry", contract.retry.Validate());
}

int DepthOf(const json::value& value) {
  int deepest = 0;
  if (const json::object* object = value.if_object()) {
    for (const auto& member : *object) deepest = std::max(deepest, DepthOf(member.value()));
  } else if (const json::array* array = value.if_array()) {
    for (const json::value& one : *array) deepest = std::max(deepest, DepthOf(one));
  } else {
    return 0;
  }
  return deepest + 1;
}

Result<void> CheckMetadata(const ActionContract& contract) {
  if (contract.metadata.empty()) return {};
  if (json::serialize(contract.metadata).size() > kMaxMetadataBytes) {
    return RefuseContract("metadata", fmt::format("is larger than {} bytes", kMaxMetadataBytes));
  }
  if (DepthOf(contract.metadata) > kMaxMetadataDepth) {
    return RefuseContract("metadata", fmt::format("is nested deeper than {}", kMaxMetadataDepth));
  }
  const json::value* approved = contract.metadata.if_contains("high_risk_approved");
  if (approved != nullptr && !approved->is_bool()) {
    return RefuseContract("metadata.high_risk_approved",
                          fmt::format("expected bool, got {}", JsonTypeName(*approved)));
  }
  return {};
}

Result<void> CheckAction(const ActionContract& contract) {
  return Under("action_spec", contract.action_spec.Validate());
}

Result<void> CheckCanonical(const ActionContract& contract) {
  TRY(contract.CanonicalBytes());
  return {};
}

}  // namespace

bool IsCallerId(std::string_view id) {
  return std::ranges::all_of(
      id, [](char c) { return IsLetterOrDigit(c) || std::string_view("._:@/+-").contains(c); });
}

bool ActionContract::has_guard() const {
  return !wait_conditions.empty() || !verification_rules.empty() ||
         !expected_postconditions.empty();
}

Result<void> ActionContract::CheckGuard() const {
  if (action_spec.type == ActionType::kWaitOnly || has_guard()) return {};
  return Fail(ErrorCode::kMissingPostActionGuard,
              fmt::format("{} needs a wait condition, an expected postcondition or a verification "
                          "rule that tells whether it worked",
                          ActionName(action_spec.type)));
}

Result<void> ActionContract::CheckContent() const {
  constexpr Result<void> (*kRules[])(const ActionContract&) = {
      CheckIds,   CheckScalars,  CheckAction,   CheckAllRules,
      CheckWaits, CheckPolicies, CheckMetadata, CheckCanonical,
  };
  for (const auto rule : kRules) TRY(rule(*this));
  return {};
}

Result<void> ActionContract::Validate() const {
  TRY(CheckContent());
  return CheckGuard();
}

Result<std::string> ActionContract::CanonicalBytes() const {
  Result<std::string> bytes = CanonicalJson(ToJson());
  if (bytes) return bytes;
  return Fail(ErrorCode::kInvalidContract, bytes.error().message());
}

Result<ContractIdentity> ActionContract::Identify() const {
  TRY_ASSIGN(const std::string bytes, CanonicalBytes());
  std::string digest = Sha256Hex(std::string(kIdentityPrefix) + bytes);
  ActionId id("act_" + digest.substr(0, kShownDigits));
  return ContractIdentity{std::move(id), std::move(digest)};
}

}  // namespace falconer::model
