#include "agent/loop/run_step.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "agent/loop/run_memory.h"
#include "agent/tools/tool_step.h"

namespace falconer::agent {
namespace {

// More of one answer is not kept; tools' answers are shorter.
constexpr std::size_t kMostCallText = 64U << 10U;
constexpr std::string_view kDenied = "policy_denied";

std::int64_t TraceMs(Duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

json::array TextList(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

json::object CallJson(const RunCall& call) {
  return {{"id", call.id},
          {"tool", call.tool},
          {"arguments", call.arguments},
          {"args_hash", call.args_hash},
          {"is_write", call.is_write()},
          {"status", NameIn(kCallStatuses, call.status)},
          {"error_kind", call.error_kind},
          {"error_code", call.error_code},
          {"error", call.error},
          {"retriable", call.is_retriable},
          {"text", call.text},
          {"artifacts", TextList(call.artifacts)},
          {"policy_flags", TextList(call.policy_flags)},
          {"step_id", call.step_id},
          {"render_mode", call.render_mode},
          {"risk", call.risk},
          {"tries", call.tries},
          {"duration_ms", TraceMs(call.took)}};
}

RunCall ReadCall(JsonReader& in) {
  RunCall call{.id = in.String("id"),
               .tool = in.String("tool"),
               .arguments = in.RawObject("arguments"),
               .args_hash = in.String("args_hash"),
               .effect = in.Bool("is_write") ? SideEffect::kWrite : SideEffect::kRead,
               .status = in.Enum("status", kCallStatuses),
               .error_kind = in.String("error_kind"),
               .error_code = in.String("error_code"),
               .error = in.String("error"),
               .is_retriable = in.Bool("retriable"),
               .text = in.String("text"),
               .artifacts = in.Strings("artifacts"),
               .policy_flags = in.Strings("policy_flags"),
               .step_id = in.String("step_id"),
               .render_mode = in.String("render_mode"),
               .risk = in.String("risk")};
  call.tries = static_cast<int>(in.Integer("tries", {0, 1000}));
  call.took = in.Milliseconds("duration_ms");
  return call;
}

TokenUsage ReadUsage(JsonReader& in) {
  return {.input = in.Integer("input"),
          .cached_input = in.Integer("cached_input"),
          .output = in.Integer("output"),
          .is_estimated = in.OptionalBool("estimated").value_or(false)};
}

RunStep ReadStep(JsonReader& in) {
  return {.step = in.Integer("step"),
          .rationale = in.String("rationale"),
          .calls = in.Objects("calls", ReadCall),
          .note = in.String("note"),
          .provider = in.String("provider"),
          .model = in.String("model"),
          .attempts = in.RawArray("attempts"),
          .usage = in.Object("usage", ReadUsage),
          .cost_micros = in.Integer("cost_micros"),
          .thought = in.Milliseconds("model_ms"),
          .at = in.Milliseconds("at_ms")};
}

}  // namespace

bool RunCall::is_denied() const {
  return error_kind == kDenied;
}

std::string RunCall::PolicyDecision() const {
  if (is_denied()) return "denied: " + error;
  return status == CallStatus::kSkipped ? "not asked" : "allowed";
}

void RunCall::Take(const ToolResult& result) {
  status = result.ok() ? CallStatus::kOk : CallStatus::kFailed;
  if (result.failure) {
    error_kind = NameIn(kToolErrorKinds, KindOf(result.failure->error.code()));
    error_code = result.failure->error.name();
    error = result.failure->error.message();
    is_retriable = result.failure->is_retriable;
  }
  text = CutAnswer(result.text, kMostCallText);
  artifacts = result.artifacts;
  policy_flags = result.policy_flags;
  if (result.structured) risk = TextAt(*result.structured, "risk");
  step_id = result.step_id;
  render_mode = result.render_mode;
  tries = result.tries;
  took = result.took;
}

bool RunStep::is_failed() const {
  return std::ranges::none_of(calls,
                              [](const RunCall& call) { return call.status == CallStatus::kOk; });
}

json::object RunStep::ToJson() const {
  json::array made;
  for (const RunCall& call : calls) made.push_back(CallJson(call));
  return {{"step", step},
          {"rationale", rationale},
          {"calls", std::move(made)},
          {"note", note},
          {"provider", provider},
          {"model", model},
          {"attempts", attempts},
          {"usage", agent::ToJson(usage)},
          {"cost_micros", cost_micros},
          {"model_ms", TraceMs(thought)},
          {"at_ms", TraceMs(at)}};
}

Result<RunStep> RunStep::FromJson(const json::value& value) {
  return ReadJson(value, "step", ReadStep);
}

json::array RunStep::CallRows(const std::string& run_id) const {
  json::array rows;
  for (const RunCall& call : calls) {
    // What was never called is on no other trace.
    const std::string id = fmt::format("{}.{}", step, rows.size() + 1);
    ToolStep traced{.run_id = run_id,
                    .step_id = call.step_id.empty() ? id : call.step_id,
                    .tool_name = call.tool,
                    .args_hash = call.args_hash,
                    .duration = std::chrono::milliseconds(TraceMs(call.took)),
                    .error_code = call.error_kind,
                    .error = call.error_code,
                    .tries = call.tries,
                    .artifacts = call.artifacts,
                    .policy_flags = call.policy_flags,
                    .render_mode = call.render_mode,
                    .mode = CallMode::kInternal};
    json::object row = traced.ToJson();
    row["status"] = NameIn(kCallStatuses, call.status);
    row["llm_rationale"] = rationale;
    row["policy_decision"] = call.PolicyDecision();
    row["risk"] = call.risk;
    if (!call.error.empty()) row["reason"] = call.error;
    rows.push_back(std::move(row));
  }
  return rows;
}

RunCall TraceOf(const ToolCall& call, SideEffect effect) {
  return {.id = call.id,
          .tool = call.name,
          .arguments = call.arguments,
          .args_hash = ArgsHash(call.arguments),
          .effect = effect};
}

}  // namespace falconer::agent
