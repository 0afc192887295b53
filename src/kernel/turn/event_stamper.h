#pragma once
// EventStamper: gives the events of one session their ids, sequence numbers and times.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/async/clock.h"
#include "base/ids.h"
#include "model/turn/decision.h"
#include "model/turn/event.h"
#include "model/turn/signal.h"

namespace falconer::kernel {

// Whose event it is: the session's, or a turn's under its epoch.
struct EventOwner {
  TurnId turn;
  std::optional<std::int64_t> epoch;
  TraceId trace;
};

class EventStamper {
 public:
  EventStamper(SessionId session, std::string pipeline_version, const Clock& clock);
  // A stamper for what concerns one listener only, numbered by itself: the numbers of the session
  // must not depend on who listens, and how fast. `edge` MUST be an id (see CheckIdText).
  EventStamper ForEdge(std::string_view edge) const;

  // A signal of the session, or of the owner's turn if it has one, with no fields but the header's.
  model::ControlSignal SessionSignal(model::SignalKind kind, model::Emitter emitter,
                                     const EventOwner& owner);
  model::ControlSignal TurnSignal(model::SignalKind kind, model::Emitter emitter,
                                  const EventOwner& owner);
  model::EventRecord Event(std::string kind, model::Lane lane, const EventOwner& owner);
  // Fills in session, event id and times.
  void Stamp(model::DecisionOutcome& decision);

  const SessionId& session() const { return session_; }
  std::int64_t last_sequence() const { return sequence_; }

 private:
  model::EventHeader Header(model::EventScope scope, model::Lane lane, const EventOwner& owner);
  std::string NextEventId(const TurnId& turn);
  std::int64_t RuntimeMillis() const;
  std::int64_t WallMillis() const;

  SessionId session_;
  std::string pipeline_version_;
  const Clock& clock_;
  TimePoint started_;
  TurnId edge_;  // stands where the turn does in the ids of an edge's events
  std::int64_t sequence_ = 0;
};

}  // namespace falconer::kernel
