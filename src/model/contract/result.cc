#include "model/contract/result.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/json/canonical_json.h"
#include "base/sha256.h"
#include "model/write_text.h"

namespace falconer::model {
namespace {

using std::chrono::microseconds;

// Writers.

json::object FailureJson(const ActionFailure& failure) {
  json::object out{{"code", TraitsOf(failure.code).name},
                   {"message", failure.message},
                   {"retryable", failure.retryable}};
  if (!failure.details.empty()) out["details"] = failure.details;
  if (failure.retry_after) out["retry_after_ms"] = failure.retry_after->count();
  return out;
}

json::object AttemptJson(const AttemptRecord& attempt) {
  json::object out{{"n", attempt.n}};
  if (attempt.cause) out["cause"] = TraitsOf(*attempt.cause).name;
  if (attempt.phase) out["phase"] = NameIn(kAttemptPhases, *attempt.phase);
  out["waited_ms"] = attempt.waited.count();
  if (attempt.backoff.count() > 0) out["backoff_ms"] = attempt.backoff.count();
  return out;
}

json::object ArtifactJson(const ResultArtifact& artifact) {
  json::object out{{"artifact_id", artifact.artifact_id}};
  if (!artifact.name.empty()) out["name"] = artifact.name;
  if (!artifact.mime.empty()) out["mime"] = artifact.mime;
  out["bytes"] = artifact.bytes;
  if (!artifact.sha256.empty()) out["sha256"] = artifact.sha256;
  return out;
}

json::object TimingsJson(const std::vector<PhaseDuration>& timings) {
  json::object out;
  for (const PhaseDuration& time : timings) {
    out[NameIn(kAttemptPhases, time.phase)] = time.took.count();
  }
  return out;
}

template <typename T, typename Write>
void WriteList(json::object& out, std::string_view key, const std::vector<T>& items, Write write) {
  if (items.empty()) return;
  json::array& list = out[key].emplace_array();
  for (const T& item : items) list.emplace_back(write(item));
}

void WriteObject(json::object& out, std::string_view key,
                 const std::optional<json::object>& object) {
  if (object) out[key] = *object;
}

// Everything the evidence digest covers.
json::object EvidenceJson(const ActionExecutionResult& result) {
  json::object out{{"action_id", result.action_id.value()}};
  WriteText(out, "turn_id", result.turn_id.value());
  out["success"] = result.success;
  if (result.failure) out["failure"] = FailureJson(*result.failure);
  WriteList(out, "attempts", result.attempts, AttemptJson);
  if (result.escalation) {
    out["escalation"] = {{"mode", NameIn(kEscalationModes, result.escalation->mode)},
                         {"reason", result.escalation->reason}};
  }
  if (result.verification) out["verification"] = result.verification->ToJson();
  if (!result.wait_outcomes.empty()) out["wait_outcomes"] = result.wait_outcomes;
  WriteText(out, "pre_state_id", result.pre_state_id);
  WriteText(out, "post_state_id", result.post_state_id);
  WriteObject(out, "state_delta", result.state_delta);
  WriteObject(out, "network_summary", result.network_summary);
  WriteObject(out, "outcome", result.outcome);
  WriteList(out, "artifacts", result.artifacts, ArtifactJson);
  if (!result.timings.empty()) out["timings_us"] = TimingsJson(result.timings);
  if (!result.metadata.empty()) out["metadata"] = result.metadata;
  return out;
}

// Readers: the mirror of the writers above.

std::optional<ErrorCode> ReadCode(JsonReader& in, std::string_view key) {
  const std::optional<std::string> name = in.OptionalString(key);
  if (!name) return std::nullopt;
  const std::optional<ErrorCode> code = ErrorCodeNamed(*name);
  if (!code) in.Reject(key, "is not a known code");
  return code;
}

ActionFailure ReadFailure(JsonReader& in) {
  if (!in.Has("code")) in.Reject("code", "is required");
  return {.code = ReadCode(in, "code").value_or(ErrorCode::kInternalError),
          .message = in.String("message"),
          .details = in.OptionalRawObject("details").value_or(json::object()),
          .retryable = in.Bool("retryable"),
          .retry_after = in.OptionalMilliseconds("retry_after_ms", kNotNegative)};
}

AttemptRecord ReadAttempt(JsonReader& in) {
  return {.n = static_cast<int>(in.Integer("n", {1, 1'000})),
          .cause = ReadCode(in, "cause"),
          .phase = in.OptionalEnum("phase", kAttemptPhases),
          .waited = in.Milliseconds("waited_ms", kNotNegative),
          .backoff = in.OptionalMilliseconds("backoff_ms", kNotNegative)
                         .value_or(std::chrono::milliseconds(0))};
}

EscalationRecord ReadEscalation(JsonReader& in) {
  return {.mode = in.Enum("mode", kEscalationModes), .reason = in.String("reason")};
}

ResultArtifact ReadArtifact(JsonReader& in) {
  return {.artifact_id = in.String("artifact_id"),
          .name = in.OptionalString("name").value_or(""),
          .mime = in.OptionalString("mime").value_or(""),
          .bytes = in.Integer("bytes", kNotNegative),
          .sha256 = in.OptionalString("sha256").value_or("")};
}

LedgerPlace ReadLedger(JsonReader& in) {
  return {.chain = in.String("chain"),
          .seq = in.Integer("seq", kNotNegative),
          .record_hash = in.String("record_hash")};
}

std::vector<PhaseDuration> ReadTimings(JsonReader& in) {
  std::vector<PhaseDuration> timings;
  for (const auto& [phase, name] : kAttemptPhases) {
    const auto took = in.OptionalInteger(name, kNotNegative);
    if (took) timings.push_back({phase, microseconds(*took)});
  }
  return timings;
}

json::array ReadWaitOutcomes(JsonReader& in) {
  json::array list = in.OptionalRawArray("wait_outcomes").value_or(json::array());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_object()) in.Reject(fmt::format("wait_outcomes[{}]", i), "expected object");
  }
  return list;
}

ActionExecutionResult ReadResult(JsonReader& in) {
  ActionExecutionResult result;
  result.action_id = ActionId(in.String("action_id", {1, 128}));
  result.turn_id = TurnId(in.OptionalString("turn_id").value_or(""));
  result.success = in.Bool("success");
  result.failure = in.OptionalObject("failure", ReadFailure);
  result.attempts = in.OptionalObjects("attempts", ReadAttempt);
  result.escalation = in.OptionalObject("escalation", ReadEscalation);
  result.verification = in.OptionalObject("verification", ReadReport);
  result.wait_outcomes = ReadWaitOutcomes(in);
  result.pre_state_id = in.OptionalString("pre_state_id").value_or("");
  result.post_state_id = in.OptionalString("post_state_id").value_or("");
  result.state_delta = in.OptionalRawObject("state_delta");
  result.network_summary = in.OptionalRawObject("network_summary");
  result.outcome = in.OptionalRawObject("outcome");
  result.artifacts = in.OptionalObjects("artifacts", ReadArtifact);
  result.timings =
      in.OptionalObject("timings_us", ReadTimings).value_or(std::vector<PhaseDuration>());
  result.evidence_digest = in.OptionalString("evidence_digest").value_or("");
  result.ledger = in.OptionalObject("ledger", ReadLedger);
  result.metadata = in.OptionalRawObject("metadata").value_or(json::object());
  if (result.success == result.failure.has_value()) {
    in.Reject("failure", "is given exactly when there is no success");
  }
  return result;
}

}  // namespace

ActionFailure ActionFailure::Of(const Error& error) {
  ActionFailure failure{.code = error.code(),
                        .message = error.message(),
                        .details = error.details(),
                        .retryable = error.is_retryable(),
                        .retry_after = std::nullopt};
  const json::value* wait = error.details().if_contains("retry_after_ms");
  if (wait != nullptr && wait->is_int64())
    failure.retry_after = std::chrono::milliseconds(wait->get_int64());
  return failure;
}

json::object LedgerPlace::ToJson() const {
  return {{"chain", chain}, {"seq", seq}, {"record_hash", record_hash}};
}

json::object ActionExecutionResult::ToJson() const {
  json::object out = EvidenceJson(*this);
  WriteText(out, "evidence_digest", evidence_digest);
  if (ledger) out["ledger"] = ledger->ToJson();
  return out;
}

Result<ActionExecutionResult> ActionExecutionResult::FromJson(const json::value& value,
                                                              std::string path) {
  return ReadJson(value, std::move(path), ReadResult);
}

Result<std::string> ActionExecutionResult::EvidenceDigest() const {
  return EvidenceDigestOf(EvidenceJson(*this));
}

Result<std::string> ActionExecutionResult::EvidenceDigestOf(const json::object& evidence) {
  TRY_ASSIGN(const std::string bytes, CanonicalJson(evidence));
  return Sha256Hex(bytes);
}

}  // namespace falconer::model
