#pragma once
// ActionContract: what to do, what must hold before, what to wait for, what must hold after. Plain
// data from a caller who is not trusted: the tenant is not part of it, the server knows that from
// the caller's token.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/json/json_reader.h"
#include "base/sha256.h"
#include "model/action/action.h"
#include "model/action/wait.h"
#include "model/contract/policies.h"
#include "model/contract/rule.h"

namespace falconer::model {

inline constexpr std::int64_t kContractVersion = 1;
inline constexpr std::size_t kMaxContractIdLength = 128;
inline constexpr std::size_t kMaxIntentLength = 1024;  // code points
inline constexpr std::size_t kMaxWaits = 16;
inline constexpr std::size_t kMaxMetadataBytes = 16 * 1024;
inline constexpr int kMaxMetadataDepth = 8;
inline constexpr Bounds<std::int64_t> kStepIndexes = {0, 1'000'000};
// Whole numbers beyond this are not exact everywhere JSON is read.
inline constexpr Bounds<std::int64_t> kUnixMs = {1, (1LL << 53) - 1};

// Within what a second contract with the same action_id is a repetition.
enum class IdempotencyScope : std::uint8_t { kWorkflow, kRun };

inline constexpr EnumName<IdempotencyScope> kIdempotencyScopes[] = {
    {IdempotencyScope::kWorkflow, "workflow"},
    {IdempotencyScope::kRun, "run"},
};

// idempotency{scope, key}: a key makes a contract that is otherwise the same another one.
struct Idempotency {
  IdempotencyScope scope = IdempotencyScope::kWorkflow;
  std::string key;
  bool operator==(const Idempotency&) const = default;
};

// Who a contract is: SHA-256 over kIdentityPrefix and its canonical bytes.
struct ContractIdentity {
  ActionId action_id;  // "act_" and the first 24 digits: for people and indexes
  std::string digest;  // all 64 hex digits
  bool operator==(const ContractIdentity&) const = default;
};

inline constexpr std::string_view kIdentityPrefix = "falconer.action.v1\n";

struct ActionContract {
  WorkflowId workflow_id;
  RunId run_id;
  std::int64_t step_index = 0;
  std::string intent;
  AgentId agent_id;
  std::vector<VerificationRule> preconditions;
  ActionSpec action_spec;  // wait_only when not given
  std::vector<VerificationRule> expected_postconditions;
  std::vector<VerificationRule> verification_rules;
  std::vector<WaitCondition> wait_conditions;
  TimeoutPolicy timeout;
  RetryPolicy retry;
  EscalationPolicy escalation;
  std::optional<std::chrono::milliseconds> deadline;  // since the Unix epoch
  bool dry_run = false;
  Idempotency idempotency;
  json::object metadata;

  // Reads and checks everything but the guard, so that guards can still be derived. Fails with
  // kInvalidContract, kInvalidActionSpec, kInvalidWaitCondition or kInvalidSelector, naming the
  // field; a field nobody knows is an error.
  static Result<ActionContract> FromJson(const json::value& value, std::string path = "");
  // What FromJson reads; members at their defaults are left out.
  json::object ToJson() const;

  // All rules: CheckContent and CheckGuard.
  Result<void> Validate() const;
  // Everything but the guard. Same codes as FromJson.
  Result<void> CheckContent() const;
  // Fails with kMissingPostActionGuard when something is done and nothing says how to tell that it
  // worked: no wait condition, no postcondition, no verification rule.
  Result<void> CheckGuard() const;
  bool has_guard() const;

  // The canonical JSON of ToJson. Fails with kInvalidContract when a value of the caller's own
  // (metadata, arguments) has no canonical form; a contract that was read always has one.
  Result<std::string> CanonicalBytes() const;
  // Same failure. The order of keys and what equals a default do not matter; everything else does.
  Result<ContractIdentity> Identify() const;

  bool operator==(const ActionContract&) const = default;
};

// For documents that hold contracts among other things; checks like FromJson.
ActionContract ReadContract(JsonReader& in);

// A list of rules under `key`; those of kAnyTime lists must not need an action to be judged.
std::vector<VerificationRule> ReadRules(JsonReader& in, std::string_view key, RuleUse use);
json::array RulesJson(const std::vector<VerificationRule>& rules);

// An id of the caller's own making: letters, digits and . _ : @ / + -
bool IsCallerId(std::string_view id);
inline constexpr std::string_view kNotACallerId =
    "has a character other than letters, digits and . _ : @ / + -";
std::string ReadCallerId(JsonReader& in, std::string_view key);

}  // namespace falconer::model
