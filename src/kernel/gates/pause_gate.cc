#include "kernel/gates/pause_gate.h"

#include <utility>

#include "base/json/json_reader.h"

namespace falconer::kernel {
namespace {

PauseFacts ReadPauseFacts(JsonReader& in) {
  PauseFacts facts{.is_paused = in.Bool("paused")};
  facts.error = in.OptionalString("error").value_or("");
  if (!facts.is_paused) return facts;
  facts.of = in.OptionalString("of").value_or("");
  facts.reason = in.String("reason");
  facts.by = in.String("by");
  facts.since_ms = in.Integer("since_ms");
  return facts;
}

PauseFacts PauseFactsOf(const std::optional<store::Pause>& pause) {
  if (!pause) return {};
  const auto since =
      std::chrono::duration_cast<std::chrono::milliseconds>(pause->since.time_since_epoch());
  return {.is_paused = true,
          .of = pause->tenant.value(),
          .reason = pause->reason,
          .by = pause->by,
          .since_ms = since.count()};
}

}  // namespace

json::object PauseFacts::ToJson() const {
  json::object out{{"paused", is_paused}};
  if (!error.empty()) out["error"] = error;
  if (!is_paused) return out;
  if (!of.empty()) out["of"] = of;
  out["reason"] = reason;
  out["by"] = by;
  out["since_ms"] = since_ms;
  return out;
}

Result<PauseFacts> PauseFacts::FromJson(const json::object& object) {
  return ReadJson(object, "facts", ReadPauseFacts);
}

Verdict DecidePause(const PauseFacts& facts) {
  if (!facts.error.empty()) {
    const ErrorCode code = ErrorCodeNamed(facts.error).value_or(ErrorCode::kInternalError);
    return Verdict::Reject("pause_unknown",
                           Error(code, "whether all is paused could not be asked for"));
  }
  if (!facts.is_paused) return Verdict::Admit("not_paused");
  const store::Pause pause{.tenant = TenantId(facts.of),
                           .reason = facts.reason,
                           .by = facts.by,
                           .since = WallTime(std::chrono::milliseconds(facts.since_ms))};
  return Verdict::Reject(facts.of.empty() ? "everything_paused" : "tenant_paused",
                         PausedError(pause));
}

Task<Verdict> PauseGate::Check(CallContext /*ctx*/, const GateInput* input) {
  // Watched first: what is ordered after the question is noticed by the watch.
  PauseWard ward = watch_.Begin(input->tenant);
  const auto pause = co_await store_.FindPause(input->tenant);
  PauseFacts facts;
  if (pause) {
    facts = PauseFactsOf(*pause);
  } else {
    facts.error = pause.error().name();
  }
  Verdict verdict = DecidePause(facts);
  verdict.facts = facts.ToJson();
  // People are told why, the record only what gives the verdict again.
  if (!pause) verdict.error = Error(pause.error().code(), pause.error().message());
  if (verdict.is_admit() && input->admission != nullptr) input->admission->ward = std::move(ward);
  co_return verdict;
}

}  // namespace falconer::kernel
