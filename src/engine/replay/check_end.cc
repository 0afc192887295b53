// The turn's end, by the machine that ended it.

#include <fmt/format.h>

#include "base/async/clock.h"
#include "engine/replay/replay_scope.h"
#include "engine/replay/turn_end.h"

namespace falconer::engine {
namespace {

// A replay is nobody's news.
class Silence final : public kernel::EventSink, public kernel::DecisionSink {
 public:
  void Emit(const model::ControlSignal& /*signal*/) override {}
  void Emit(const model::EventRecord& /*event*/) override {}
  void Record(const model::DecisionOutcome& /*decision*/) override {}
};

Result<std::optional<kernel::TurnEnd>> Walk(const ReplayScope& scope) {
  const SystemClock clock;
  Silence silence;
  const SessionId session(TextAt(scope.evidence.opened->payload, "session"));
  kernel::EventStamper stamper(session, scope.plan->pipeline_version, clock);
  const TurnId turn(TextAt(scope.evidence.opened->payload, "turn_id"));
  kernel::TurnMachine machine(turn, stamper, silence, silence);
  TRY(machine.Propose());
  TRY(machine.Admitted());
  TRY(machine.Authorised(scope.lease->epoch));
  TRY(machine.Open(*scope.plan));
  TRY(machine.Note(CauseOf(*scope.result), DetailOf(*scope.result)));
  return machine.Resolve();
}

}  // namespace

void CheckEnd(ReplayScope& scope) {
  if (!scope.evidence.opened || !scope.result) return;
  const json::value* recorded = At(scope.evidence.closed->payload, "end");
  if (recorded == nullptr) {
    // Found out after a crash: the turn itself ended with the process it ran in.
    if (scope.result->metadata.contains("reobserved"))
      return scope.out.Reproduced("end", "found out");
    return scope.out.Missing("end", "how the turn ended");
  }
  if (!scope.plan || !scope.lease) return scope.out.Missing("end", "the plan or the lease");
  const auto end = Walk(scope);
  if (!end) {
    return scope.out.Diverged("end", DivergenceClass::kAuthority, end.error().message());
  }
  if (!*end) {
    return scope.out.Diverged("end", DivergenceClass::kOutcome, "the turn would go on");
  }
  Report(scope, "end", DivergenceClass::kOutcome, *recorded, EndJson(**end));
}

}  // namespace falconer::engine
