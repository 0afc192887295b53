#pragma once
// ActionExecutionResult: the evidence of one contract. What was not observed is absent. The JSON
// form has a fixed order of fields and survives the way there and back byte for byte, so a stored
// result can be answered again exactly as it was.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/json/json_reader.h"
#include "model/contract/policies.h"
#include "model/contract/rule_report.h"

namespace falconer::model {

// Counts and times that are told: what canonical JSON carries exactly.
inline constexpr Bounds<std::int64_t> kNotNegative = {0, (1LL << 53) - 1};

// The parts of an attempt; the first four have a timeout each.
enum class AttemptPhase : std::uint8_t {
  kBind,
  kExecute,
  kWait,
  kVerify,
  kPrecondition,
  kProject,
};

inline constexpr EnumName<AttemptPhase> kAttemptPhases[] = {
    {AttemptPhase::kBind, "bind"},
    {AttemptPhase::kExecute, "execute"},
    {AttemptPhase::kWait, "wait"},
    {AttemptPhase::kVerify, "verify"},
    {AttemptPhase::kPrecondition, "precondition"},
    {AttemptPhase::kProject, "project"},
};

// The one failure a caller has to deal with.
struct ActionFailure {
  ErrorCode code = ErrorCode::kInternalError;
  std::string message;
  json::object details;
  bool retryable = false;
  std::optional<std::chrono::milliseconds> retry_after;

  // With the time to wait that the error's details may have (retry_after_ms).
  static ActionFailure Of(const Error& error);
  bool operator==(const ActionFailure&) const = default;
};

// One attempt inside the turn. The last one of a success has no cause.
struct AttemptRecord {
  int n = 1;
  std::optional<ErrorCode> cause;
  std::optional<AttemptPhase> phase;     // where it ended
  std::chrono::milliseconds waited{0};   // how long it took
  std::chrono::milliseconds backoff{0};  // the pause before it
  bool operator==(const AttemptRecord&) const = default;
};

struct EscalationRecord {
  EscalationMode mode = EscalationMode::kFailWorkflow;
  std::string reason;
  bool operator==(const EscalationRecord&) const = default;
};

struct ResultArtifact {
  std::string artifact_id;
  std::string name;
  std::string mime;
  std::int64_t bytes = 0;
  std::string sha256;
  bool operator==(const ResultArtifact&) const = default;
};

struct PhaseDuration {
  AttemptPhase phase = AttemptPhase::kBind;
  std::chrono::microseconds took{0};
  bool operator==(const PhaseDuration&) const = default;
};

// Where the ledger keeps the turn.
struct LedgerPlace {
  std::string chain;
  std::int64_t seq = 0;
  std::string record_hash;
  json::object ToJson() const;
  bool operator==(const LedgerPlace&) const = default;
};

struct ActionExecutionResult {
  ActionId action_id;
  TurnId turn_id;
  bool success = false;
  std::optional<ActionFailure> failure;  // given exactly when there is no success
  std::vector<AttemptRecord> attempts;
  std::optional<EscalationRecord> escalation;
  std::optional<VerificationReport> verification;
  json::array wait_outcomes;  // WaitOutcome::ToJson of each
  std::string pre_state_id;
  std::string post_state_id;
  std::optional<json::object> state_delta;
  std::optional<json::object> network_summary;
  std::optional<json::object> outcome;  // ActionOutcome::ToJson
  std::vector<ResultArtifact> artifacts;
  std::vector<PhaseDuration> timings;  // each phase at most once, summed over the attempts
  std::string evidence_digest;
  std::optional<LedgerPlace> ledger;
  json::object metadata;  // runtime_events, guard_summary, budget, ...

  // Members at their defaults are left out; always in the same order.
  json::object ToJson() const;
  // Strict. Fails with kInvalidArgument naming the field.
  static Result<ActionExecutionResult> FromJson(const json::value& value,
                                                std::string path = "result");
  // 64 hex digits of SHA-256 over the canonical JSON of everything but evidence_digest and ledger,
  // which are only known once the digest is. Fails with kInvalidArgument when a part has no
  // canonical form.
  Result<std::string> EvidenceDigest() const;
  // The same of the JSON of a result that has neither yet.
  static Result<std::string> EvidenceDigestOf(const json::object& evidence);
  bool operator==(const ActionExecutionResult&) const = default;
};

}  // namespace falconer::model
