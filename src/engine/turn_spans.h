#pragma once
// A turn as the spans of a trace: the turn itself, its attempts, and what was asked of the browser
// and the ledger.

#include <string>
#include <vector>

#include "engine/turn_timeline.h"
#include "model/turn/span.h"
#include "model/turn/trace_context.h"

namespace falconer::engine {

// Waiting for the session's browser, which may have to be started.
inline constexpr std::string_view kBrowserSession = "browser.session";

// A contract that came to an end, as a turn or before it became one.
struct EndedContract {
  model::TraceContext trace;
  std::string parent_id = {};  // the caller's span; "" for none
  TimePoint began;
  TimePoint ended;
  json::object attributes = {};
  std::optional<ErrorCode> failure = {};
};

// `clock` tells what the times were on the wall.
std::vector<model::Span> SpansOf(const EndedContract& contract, const TurnTimeline& timeline,
                                 const Clock& clock);

}  // namespace falconer::engine
