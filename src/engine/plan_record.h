#pragma once
// PlanRecord: what a turn's plan was made from, as it goes on record: by digest what stays, as it
// is what does not.

#include <string>
#include <vector>

#include "base/async/clock.h"
#include "engine/replay/snapshot_book.h"
#include "kernel/gates/gate.h"
#include "kernel/plan/plan_resolver.h"
#include "model/contract/contract.h"
#include "model/turn/turn_plan.h"

namespace falconer::engine {

struct PlanRecord {
  std::string hash;
  // What goes into the first record of the turn.
  json::object fields;
  // What is written once per chain, before the first record that refers to it.
  std::vector<Snapshot> snapshots;

  // `inputs` is what `plan` was resolved from. The clock is read when the contract has a deadline:
  // whether there is time left is decided by the clock on the wall.
  static Result<PlanRecord> Of(const model::ResolvedTurnPlan& plan, kernel::PlanInputs inputs,
                               const model::ActionContract& contract, Clock& clock);
  // Adds what the gates' facts refer to: rules, token, policy.
  void Refer(const kernel::Admission& admission);
};

}  // namespace falconer::engine
