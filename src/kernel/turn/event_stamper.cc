#include "kernel/turn/event_stamper.h"

#include <chrono>
#include <utility>

#include "model/turn/identity.h"

namespace falconer::kernel {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

EventStamper::EventStamper(SessionId session, std::string pipeline_version, const Clock& clock)
    : session_(std::move(session)),
      pipeline_version_(std::move(pipeline_version)),
      clock_(clock),
      started_(clock.Now()) {
}

EventStamper EventStamper::ForEdge(std::string_view edge) const {
  EventStamper stamper = *this;
  stamper.edge_ = TurnId("edge:" + std::string(edge));
  stamper.sequence_ = 0;
  return stamper;
}

std::string EventStamper::NextEventId(const TurnId& turn) {
  return model::FormatEventId({session_, edge_.empty() ? turn : edge_, ++sequence_});
}

std::int64_t EventStamper::RuntimeMillis() const {
  return duration_cast<milliseconds>(clock_.Now() - started_).count();
}

std::int64_t EventStamper::WallMillis() const {
  return duration_cast<milliseconds>(clock_.WallNow().time_since_epoch()).count();
}

model::EventHeader EventStamper::Header(model::EventScope scope, model::Lane lane,
                                        const EventOwner& owner) {
  std::string id = NextEventId(owner.turn);
  return {.scope = scope,
          .session = session_,
          .turn = owner.turn,
          .pipeline_version = pipeline_version_,
          .event_id = std::move(id),
          .lane = lane,
          .transport_sequence = sequence_,
          .runtime_sequence = sequence_,
          .authority_epoch = owner.epoch,
          .runtime_timestamp_ms = RuntimeMillis(),
          .wall_clock_timestamp_ms = WallMillis(),
          .trace = owner.trace};
}

model::ControlSignal EventStamper::SessionSignal(model::SignalKind kind, model::Emitter emitter,
                                                 const EventOwner& owner) {
  return {.header = Header(model::EventScope::kSession, model::RowOf(kind).lane, owner),
          .signal = kind,
          .emitted_by = emitter};
}

model::ControlSignal EventStamper::TurnSignal(model::SignalKind kind, model::Emitter emitter,
                                              const EventOwner& owner) {
  return {.header = Header(model::EventScope::kTurn, model::RowOf(kind).lane, owner),
          .signal = kind,
          .emitted_by = emitter};
}

model::EventRecord EventStamper::Event(std::string kind, model::Lane lane,
                                       const EventOwner& owner) {
  const bool is_turn = !owner.turn.empty() && owner.epoch;
  return {.header =
              Header(is_turn ? model::EventScope::kTurn : model::EventScope::kSession, lane, owner),
          .kind = std::move(kind)};
}

void EventStamper::Stamp(model::DecisionOutcome& decision) {
  decision.session = session_;
  decision.event_id = NextEventId(decision.turn);
  decision.runtime_timestamp_ms = RuntimeMillis();
  decision.wall_clock_timestamp_ms = WallMillis();
}

}  // namespace falconer::kernel
