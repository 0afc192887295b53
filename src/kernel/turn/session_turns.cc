#include "kernel/turn/session_turns.h"

#include <deque>
#include <fmt/format.h>
#include <utility>

#include "base/async/notifier.h"
#include "base/check.h"
#include "model/turn/identity.h"
#include "model/turn/trace_context.h"

namespace falconer::kernel {

using model::SessionPhase;
using model::SessionTrigger;

struct TurnSlot::Shared {
  Shared(EventStamper& its_stamper, EventSink& its_events, DecisionSink& its_decisions,
         SessionTurnsOptions its_options)
      : stamper(its_stamper), events(its_events), decisions(its_decisions), options(its_options) {}

  bool is_taking() const { return phase == SessionPhase::kActive; }
  bool is_next(std::uint64_t ticket) const {
    return !current && !queue.empty() && queue.front() == ticket;
  }

  // The turn is over; its place goes to whoever waits longest.
  void Free() {
    if (current->is_over()) closed.push_back(std::move(current));
    current = nullptr;
    while (closed.size() > options.keep_closed) closed.pop_front();
    changed.NotifyAll();
  }

  TurnMachine* Find(const TurnId& id) {
    if (current && current->id() == id) return current.get();
    for (const auto& turn : closed) {
      if (turn->id() == id) return turn.get();
    }
    return nullptr;
  }

  EventStamper& stamper;
  EventSink& events;
  DecisionSink& decisions;
  SessionTurnsOptions options;
  SessionPhase phase = SessionPhase::kConnecting;
  std::shared_ptr<TurnMachine> current;
  std::deque<std::shared_ptr<TurnMachine>> closed;
  std::deque<std::uint64_t> queue;
  std::uint64_t last_ticket = 0;
  std::int64_t last_turn = 0;
  Notifier changed;
};

namespace {

// Takes the ticket out of the queue however its coroutine ends.
template <typename Shared>
class Queued {
 public:
  explicit Queued(Shared& shared) : shared_(shared), ticket_(++shared.last_ticket) {
    shared_.queue.push_back(ticket_);
  }
  ~Queued() {
    std::erase(shared_.queue, ticket_);
    shared_.changed.NotifyAll();
  }
  Queued(const Queued&) = delete;
  Queued& operator=(const Queued&) = delete;
  std::uint64_t ticket() const { return ticket_; }

 private:
  Shared& shared_;
  std::uint64_t ticket_;
};

// No accepted turn ends without close.
void Abandon(TurnMachine& turn, TurnCause cause, std::string why) {
  if (turn.state() == model::TurnState::kOpening) {
    const Result<void> refused =
        turn.Refuse({.kind = model::DecisionKind::kReject, .reason = std::move(why)});
    CHECK(refused, "a proposal can always be rejected");
    return;
  }
  if (turn.state() != model::TurnState::kActive) return;
  const Result<void> noted = turn.Note(cause, std::move(why));
  CHECK(noted && turn.Resolve(), "an active turn can always be aborted");
}

}  // namespace

TurnSlot::TurnSlot(std::shared_ptr<Shared> shared, std::shared_ptr<TurnMachine> turn,
                   std::int64_t sequence)
    : shared_(std::move(shared)), turn_(std::move(turn)), sequence_(sequence) {
}

TurnSlot::~TurnSlot() {
  if (!turn_) return;
  Abandon(*turn_, TurnCause::kNoWayOn, "turn_abandoned");
  shared_->Free();
}

SessionTurns::SessionTurns(EventStamper& stamper, EventSink& events, DecisionSink& decisions,
                           SessionTurnsOptions options)
    : shared_(std::make_shared<TurnSlot::Shared>(stamper, events, decisions, options)) {
}

SessionTurns::~SessionTurns() {
  // Those that wait must not wait for a session that is gone.
  shared_->phase = SessionPhase::kEnded;
  shared_->changed.NotifyAll();
}

Result<void> SessionTurns::Move(SessionTrigger trigger) {
  TRY_ASSIGN(shared_->phase, model::Next(shared_->phase, trigger));
  shared_->changed.NotifyAll();
  return {};
}

Result<void> SessionTurns::Connected() {
  return Move(SessionTrigger::kConnected);
}

Result<void> SessionTurns::Drain() {
  return Move(SessionTrigger::kDrain);
}

Result<void> SessionTurns::End() {
  TRY(Move(SessionTrigger::kEnd));
  if (shared_->current) Abandon(*shared_->current, TurnCause::kLinkLost, "session_ended");
  return {};
}

Task<Result<TurnSlot>> SessionTurns::Begin(CallContext ctx) {
  return BeginIn(shared_, std::move(ctx));
}

Task<Result<TurnSlot>> SessionTurns::BeginIn(std::shared_ptr<TurnSlot::Shared> shared,
                                             CallContext ctx) {
  const bool must_wait = shared->current || !shared->queue.empty();
  const bool may_wait = shared->options.second == SecondTurn::kWaits &&
                        shared->queue.size() < shared->options.max_waiting;
  if (shared->is_taking() && must_wait && !may_wait) {
    co_return Fail(ErrorCode::kQueueFull,
                   fmt::format("session {} runs a turn already, {} wait",
                               shared->stamper.session().value(), shared->queue.size()));
  }
  const Queued<TurnSlot::Shared> queued(*shared);
  const std::uint64_t ticket = queued.ticket();
  CO_TRY(co_await shared->changed.Until(
      ctx, [shared, ticket] { return !shared->is_taking() || shared->is_next(ticket); },
      "the session's turn"));
  if (!shared->is_taking()) {
    co_return Fail(ErrorCode::kSessionClosed,
                   fmt::format("session {} is {}", shared->stamper.session().value(),
                               NameIn(model::kSessionPhases, shared->phase)));
  }
  const std::int64_t sequence = ++shared->last_turn;
  shared->current =
      std::make_shared<TurnMachine>(model::MakeTurnId(shared->stamper.session(), sequence),
                                    shared->stamper, shared->events, shared->decisions);
  const std::string& turn = shared->current->id().value();
  const std::string caller = ctx.ids().trace.value();
  shared->current->JoinTrace(TraceId(model::TraceOf(turn, caller).Traceparent()));
  TurnSlot slot(shared, shared->current, sequence);
  CO_TRY(slot.turn().Propose());
  co_return slot;
}

InboundAnswer SessionTurns::Judge(const InboundEvent& event) {
  TurnMachine* turn = shared_->Find(event.turn);
  if (turn != nullptr) return turn->Judge(event);
  // A turn nobody remembers: as if it had been closed long ago.
  return AnswerFor(model::TurnState::kClosed, event.kind);
}

SessionPhase SessionTurns::phase() const {
  return shared_->phase;
}

bool SessionTurns::is_busy() const {
  return shared_->current != nullptr;
}

std::size_t SessionTurns::waiting() const {
  return shared_->queue.size();
}

std::size_t SessionTurns::remembered() const {
  return shared_->closed.size();
}

}  // namespace falconer::kernel
