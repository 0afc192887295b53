#pragma once
// What the tests of turns share: sinks that remember, and a plan that is frozen.

#include <string>
#include <vector>

#include "base/sha256.h"
#include "kernel/turn/sinks.h"
#include "model/turn/turn_plan.h"

namespace falconer::test {

// Remembers everything, in order.
class RecordingSink final : public kernel::EventSink, public kernel::DecisionSink {
 public:
  void Emit(const model::ControlSignal& signal) override { signals.push_back(signal); }
  void Emit(const model::EventRecord& event) override { events.push_back(event); }
  void Record(const model::DecisionOutcome& decision) override { decisions.push_back(decision); }

  // "commit", "abort(cancelled)": the signals from `start` on, as words.
  std::vector<std::string> Words(std::size_t start = 0) const {
    std::vector<std::string> words;
    for (std::size_t i = start; i < signals.size(); ++i) {
      std::string word(model::SignalName(signals[i].signal));
      if (!signals[i].reason.empty()) word += "(" + signals[i].reason + ")";
      words.push_back(std::move(word));
    }
    return words;
  }

  std::vector<model::ControlSignal> signals;
  std::vector<model::EventRecord> events;
  std::vector<model::DecisionOutcome> decisions;
};

inline model::ResolvedTurnPlan PlanFor(const TurnId& turn, std::int64_t epoch) {
  model::ResolvedTurnPlan plan{.turn = turn,
                               .pipeline_version = "p1",
                               .graph_definition_ref = "graph/act",
                               .execution_profile = "simple",
                               .authority_epoch = epoch,
                               .node = {.fairness_key = "tenant-a"}};
  for (const auto& [kind, name] : model::kSnapshotKinds) plan.provenance[kind] = Sha256Hex(name);
  return plan;
}

inline model::ResolvedTurnPlan FrozenPlanFor(const TurnId& turn, std::int64_t epoch) {
  model::ResolvedTurnPlan plan = PlanFor(turn, epoch);
  static_cast<void>(plan.Freeze());
  return plan;
}

}  // namespace falconer::test
