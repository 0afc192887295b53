#pragma once
// SessionTurns: the turns of one session. One runs at a time; a second waits its turn or is
// refused, as configured. Closed turns are remembered for a while, so that what comes late for them
// is answered properly, and no longer than that. Belongs to the session's strand.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/async/call_context.h"
#include "kernel/turn/turn_machine.h"
#include "model/turn/session_phase.h"

namespace falconer::kernel {

enum class SecondTurn : std::uint8_t { kWaits, kIsRefused };

struct SessionTurnsOptions {
  SecondTurn second = SecondTurn::kWaits;
  std::size_t max_waiting = 16;
  std::size_t keep_closed = 64;
};

// The one place of a session, with the turn that holds it. Letting go of it frees the place; a turn
// that is still running then is aborted, because no accepted turn may end without close.
class TurnSlot {
 public:
  TurnSlot(TurnSlot&&) noexcept = default;
  TurnSlot& operator=(TurnSlot&&) = delete;
  ~TurnSlot();

  TurnMachine& turn() const { return *turn_; }
  // Its number in the session, from 1.
  std::int64_t sequence() const { return sequence_; }

 private:
  friend class SessionTurns;
  struct Shared;
  TurnSlot(std::shared_ptr<Shared> shared, std::shared_ptr<TurnMachine> turn,
           std::int64_t sequence);

  std::shared_ptr<Shared> shared_;
  std::shared_ptr<TurnMachine> turn_;
  std::int64_t sequence_;
};

class SessionTurns {
 public:
  // The collaborators must outlive this and every slot it gave out.
  SessionTurns(EventStamper& stamper, EventSink& events, DecisionSink& decisions,
               SessionTurnsOptions options = {});
  ~SessionTurns();
  SessionTurns(const SessionTurns&) = delete;
  SessionTurns& operator=(const SessionTurns&) = delete;

  // Moves the session by the table; an illegal move changes nothing.
  Result<void> Connected();
  // No turn opens any more; those that wait fail with kSessionClosed.
  Result<void> Drain();
  // Ends a session that drains. A turn that still runs is aborted as if the browser were lost.
  Result<void> End();

  // A turn of its own in state Opening, once it is its turn. Fails with kSessionClosed when the
  // session takes no turns, kQueueFull when it may not wait, and like ctx.
  Task<Result<TurnSlot>> Begin(CallContext ctx);

  // What to do with an event for one of this session's turns. For kRemap the caller begins a turn.
  InboundAnswer Judge(const InboundEvent& event);

  model::SessionPhase phase() const;
  bool is_busy() const;
  std::size_t waiting() const;
  std::size_t remembered() const;

 private:
  static Task<Result<TurnSlot>> BeginIn(std::shared_ptr<TurnSlot::Shared> shared, CallContext ctx);
  Result<void> Move(model::SessionTrigger trigger);

  std::shared_ptr<TurnSlot::Shared> shared_;
};

}  // namespace falconer::kernel
