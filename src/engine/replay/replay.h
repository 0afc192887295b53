#pragma once
// Replay: every recorded decision of a turn or a run evaluated again, offline, from the facts that
// were recorded with it: contract and identity, gates, plan, guards, rules over their observations,
// attempts, verdict, evidence, and the turn's end. It touches no page, no clock and no chance.

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "engine/replay/evidence.h"
#include "engine/replay/replay_report.h"

namespace falconer::engine {

// A divergence that somebody announces, as after a change of the program.
struct ExpectedDivergence {
  DivergenceClass how = DivergenceClass::kOutcome;
  std::string decision;

  // "PLAN:plan.budgets". kInvalidArgument for another form, and for the classes that nobody can
  // announce: AUTHORITY never passes, TIMING has its tolerance.
  static Result<ExpectedDivergence> Parse(std::string_view text);
  std::string Text() const;
};

struct ReplayPolicy {
  // Pauses that differ by no more are the same.
  std::chrono::milliseconds timing_tolerance{15};
  // One of them that does not come is a divergence too.
  std::vector<ExpectedDivergence> expected;
};

// Replays what the evidence has. `tenant` is whose chain it is from.
ReplayReport Replay(const Evidence& evidence, const TenantId& tenant,
                    const ReplayPolicy& policy = {});

// Gathers the evidence for a name (of a turn, run, action or workflow) and replays it. Fails like
// GatherEvidence.
Result<ReplayReport> ReplayNamed(ledger::ChainReader& reader, const TenantId& tenant,
                                 const EvidenceQuestion& question, const ReplayPolicy& policy = {});

}  // namespace falconer::engine
