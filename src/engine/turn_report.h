#pragma once
// TurnReport: tells what came of one contract to those who watch: the meter, the log, and the trace
// it belongs to. On the runtime's event loop.

#include <optional>
#include <string>

#include "engine/sent_contract.h"
#include "engine/turn_spans.h"

namespace falconer::engine {

class TurnReport {
 public:
  // Both must outlive the report. The contract begins now.
  TurnReport(Runtime& runtime, const SentContract& sent);

  // What the caller says it is a part of: a traceparent, or nothing.
  void Join(const TraceId& caller) { caller_ = caller.value(); }
  // A part of the turn, from `begin` to now.
  void Passed(std::string_view part, TimePoint begin);
  // Of its attempts.
  TurnTimeline& timeline() { return timeline_; }
  TimePoint began() const { return began_; }

  // Everything is done that its turn can do.
  void Acted(const model::ActionExecutionResult& result);
  // Its turn is over; or it could not be recorded.
  void Ended(std::optional<ErrorCode> unrecorded);
  // It became no turn, by the decision of that id ("" for none).
  void Refused(ErrorCode why, const std::string& decision);

 private:
  void Trace(std::string_view id, std::string_view outcome, std::optional<ErrorCode> failure);
  json::object Attributes(std::string_view outcome, std::optional<ErrorCode> failure) const;
  std::string_view ActionType() const;

  Runtime& runtime_;
  const SentContract& sent_;
  TimePoint began_;
  std::string caller_;
  TurnTimeline timeline_;
  TurnId turn_;
  std::optional<ErrorCode> failure_;
  std::size_t attempts_ = 0;
};

}  // namespace falconer::engine
