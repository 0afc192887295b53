#pragma once
// RunStep: what is known of each step of a run: what the model wanted and why, what was decided
// about it, what came of it, and what it cost. It goes on record, into reports, and back into the
// memory of a run that is taken up again. Plain data.

#include <cstdint>
#include <string>
#include <vector>

#include "agent/providers/chat_answer.h"
#include "agent/tools/tool_descriptor.h"
#include "agent/tools/tool_result.h"

namespace falconer::agent {

enum class CallStatus : std::uint8_t {
  kOk,
  kFailed,
  kSkipped,  // never called, because of what came before it
  kUnknown,  // begun before a crash; nobody knows what it did
};

inline constexpr EnumName<CallStatus> kCallStatuses[] = {
    {CallStatus::kOk, "ok"},
    {CallStatus::kFailed, "error"},
    {CallStatus::kSkipped, "skipped"},
    {CallStatus::kUnknown, "unknown"},
};

// One call of a tool.
struct RunCall {
  std::string id;
  std::string tool;
  json::object arguments;
  std::string args_hash;  // of what was sent
  SideEffect effect = SideEffect::kWrite;
  CallStatus status = CallStatus::kUnknown;
  std::string error_kind = {};  // of kToolErrorKinds; "" for none
  std::string error_code = {};
  std::string error = {};
  bool is_retriable = false;
  std::string text = {};  // what the model was told
  std::vector<std::string> artifacts = {};
  std::vector<std::string> policy_flags = {};
  std::string step_id = {};      // of the trace that all calls of tools are on
  std::string render_mode = {};  // how the page was read; "" for as usual
  std::string risk = {};         // as the tool told it; "" when not known
  int tries = 0;
  Duration took{0};

  bool is_write() const { return effect != SideEffect::kRead; }
  bool is_denied() const;
  // "allowed", or "denied: " and why.
  std::string PolicyDecision() const;
  // Sets status, errors and what else a result says.
  void Take(const ToolResult& result);
};

// One turn of the model, and what came of it.
struct RunStep {
  std::int64_t step = 0;
  std::string rationale = {};  // the model's own words
  std::vector<RunCall> calls = {};
  // What the model is told of it beside the tools' answers; "" for nothing.
  std::string note = {};
  std::string provider = {};
  std::string model = {};
  json::array attempts = {};  // as ToJson(ProviderAttempt) writes them
  TokenUsage usage = {};
  std::int64_t cost_micros = 0;
  Duration thought{0};  // the model's part
  Duration at{0};       // since the run began, without what stood still

  // None of its calls succeeded.
  bool is_failed() const;
  json::object ToJson() const;
  static Result<RunStep> FromJson(const json::value& value);
  // One object for each call, of the form that the trace of every tool call has, and with what
  // explains it: llm_rationale, policy_decision, risk, reason.
  json::array CallRows(const std::string& run_id) const;
};

// Of a call that is about to be made.
RunCall TraceOf(const ToolCall& call, SideEffect effect);

}  // namespace falconer::agent
