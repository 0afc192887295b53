#include "engine/turn_report.h"

#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "model/url.h"

namespace falconer::engine {
namespace {

std::int64_t MillisecondsOf(Duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

std::string_view NameOfCode(std::optional<ErrorCode> code) {
  return code ? TraitsOf(*code).name : "";
}

}  // namespace

TurnReport::TurnReport(Runtime& runtime, const SentContract& sent)
    : runtime_(runtime), sent_(sent), began_(runtime.clock().Now()) {
}

std::string_view TurnReport::ActionType() const {
  return sent_.contract ? model::ActionName(sent_.contract->action_spec.type) : "unreadable";
}

void TurnReport::Passed(std::string_view part, TimePoint begin) {
  timeline_.Note({.name = part, .begin = begin, .end = runtime_.clock().Now()});
}

void TurnReport::Acted(const model::ActionExecutionResult& result) {
  turn_ = result.turn_id;
  attempts_ = result.attempts.size();
  if (result.failure) failure_ = result.failure->code;
  runtime_.meter().NoteTurn(sent_.contract->action_spec.type, result,
                            runtime_.clock().Now() - began_);
}

void TurnReport::Ended(std::optional<ErrorCode> unrecorded) {
  const auto failure = unrecorded ? unrecorded : failure_;
  LOG(info, "turn.done", {"tenant", sent_.key.tenant.value()},
      {"workflow", sent_.key.workflow.value()}, {"session", sent_.session->id.value()},
      {"turn", turn_.value()}, {"trace", model::TraceOf(turn_.value(), caller_).trace_id},
      {"action", sent_.identity.action_id.value()}, {"type", ActionType()},
      {"code", NameOfCode(failure)}, {"attempts", attempts_},
      {"ms", MillisecondsOf(runtime_.clock().Now() - began_)});
  Trace(turn_.value(), failure ? "failed" : "ok", failure);
}

void TurnReport::Refused(ErrorCode why, const std::string& decision) {
  runtime_.meter().NoteRefusal(
      sent_.contract ? std::optional(sent_.contract->action_spec.type) : std::nullopt, why);
  // What nothing was decided about has no name that anybody knows.
  const std::string id = decision.empty() ? RandomId() : decision;
  LOG(info, "turn.refused", {"tenant", sent_.key.tenant.value()},
      {"workflow", sent_.key.workflow.value()},
      {"session", sent_.session ? sent_.session->id.value() : ""},
      {"trace", model::TraceOf(id, caller_).trace_id}, {"decision", decision},
      {"action", sent_.identity.action_id.value()}, {"type", ActionType()},
      {"code", NameOfCode(why)});
  Trace(id, "refused", why);
}

// A caller who traces nothing wants nothing traced.
void TurnReport::Trace(std::string_view id, std::string_view outcome,
                       std::optional<ErrorCode> failure) {
  SpanSink* const sink = runtime_.parts().spans;
  if (sink == nullptr) return;
  const auto caller = model::ParseTraceparent(caller_);
  EndedContract ended{.trace = model::TraceOf(id, caller_),
                      .parent_id = caller ? caller->span_id : "",
                      .began = began_,
                      .ended = runtime_.clock().Now(),
                      .attributes = Attributes(outcome, failure),
                      .failure = failure};
  if (ended.trace.sampling == model::TraceSampling::kNotSampled) return;
  if (outcome == "refused" && !id.empty()) ended.attributes["falconer.decision_id"] = id;
  sink->Take(SpansOf(ended, timeline_, runtime_.clock()));
}

json::object TurnReport::Attributes(std::string_view outcome,
                                    std::optional<ErrorCode> failure) const {
  json::object told{{"falconer.tenant", sent_.key.tenant.value()},
                    {"falconer.workflow", sent_.key.workflow.value()},
                    {"falconer.agent", sent_.caller.agent},
                    {"falconer.action_id", sent_.identity.action_id.value()},
                    {"falconer.action_type", ActionType()},
                    {"falconer.outcome", outcome}};
  if (sent_.session) told["falconer.session_id"] = sent_.session->id.value();
  if (!turn_.empty()) told["falconer.turn_id"] = turn_.value();
  if (attempts_ > 0) told["falconer.attempts"] = attempts_;
  if (failure) told["error.type"] = NameOfCode(failure);
  const bool leads = sent_.contract && sent_.contract->action_spec.url;
  const std::string& url = leads ? *sent_.contract->action_spec.url : sent_.page_url;
  if (const std::string host = model::SplitUrl(url).host; !host.empty())
    told["server.address"] = host;
  return told;
}

}  // namespace falconer::engine
