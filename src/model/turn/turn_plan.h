#pragma once
// ResolvedTurnPlan: everything about a turn that is settled before it opens. Once frozen it never
// changes; its hash names it in the ledger, and its seed is drawn from the hash.

#include <cstdint>
#include <map>
#include <string>

#include "base/ids.h"
#include "base/json/json_reader.h"
#include "model/enum_set.h"
#include "model/turn/determinism.h"
#include "model/turn/lane.h"
#include "model/turn/provenance.h"

namespace falconer::model {

// How long the parts of a turn may take, in milliseconds.
struct PlanBudgets {
  std::int64_t turn_ms = 5000;
  std::int64_t node_ms = 1500;
  std::int64_t path_ms = 3000;
  std::int64_t edge_ms = 500;
  bool operator==(const PlanBudgets&) const = default;
};

// Attempts inside the turn.
struct PlanRetry {
  std::int64_t max_attempts = 2;
  std::int64_t backoff_ms = 250;
  std::int64_t multiplier = 2;
  std::int64_t max_backoff_ms = 2000;
  bool operator==(const PlanRetry&) const = default;
};

// The longest each step may wait, in milliseconds.
struct PlanTimeouts {
  std::int64_t action_ms = 20'000;
  std::int64_t wait_ms = 20'000;
  std::int64_t verify_ms = 5'000;
  bool operator==(const PlanTimeouts&) const = default;
};

struct PlanNodePolicy {
  std::int64_t concurrency_limit = 1;
  std::string fairness_key;  // whose share of the node it counts against
  bool operator==(const PlanNodePolicy&) const = default;
};

// One lane's bound and watermarks.
struct PlanLane {
  std::int64_t bound = 0;
  std::int64_t high = 0;
  std::int64_t low = 0;
  bool operator==(const PlanLane&) const = default;
};

// Half and a quarter of the bound.
PlanLane LaneWithBound(std::int64_t bound);

struct PlanFlow {
  PlanLane control = LaneWithBound(RowOf(Lane::kControl).bound);
  PlanLane data = LaneWithBound(RowOf(Lane::kData).bound);
  PlanLane telemetry = LaneWithBound(RowOf(Lane::kTelemetry).bound);
  bool operator==(const PlanFlow&) const = default;
};

enum class AdaptiveAction : std::uint8_t { kRetry, kProviderSwitch, kDegrade, kFallback };

inline constexpr EnumName<AdaptiveAction> kAdaptiveActions[] = {
    {AdaptiveAction::kRetry, "retry"},
    {AdaptiveAction::kProviderSwitch, "provider_switch"},
    {AdaptiveAction::kDegrade, "degrade"},
    {AdaptiveAction::kFallback, "fallback"},
};

using AdaptiveActionSet = EnumSet<AdaptiveAction>;

// How much evidence is kept: L0 decisions, L1 with state and network, L2 with everything seen.
enum class RecordingLevel : std::uint8_t { kL0, kL1, kL2 };

inline constexpr EnumName<RecordingLevel> kRecordingLevels[] = {
    {RecordingLevel::kL0, "L0"},
    {RecordingLevel::kL1, "L1"},
    {RecordingLevel::kL2, "L2"},
};

enum class ReplayMode : std::uint8_t { kReplayDecisions, kReexecute };

inline constexpr EnumName<ReplayMode> kReplayModes[] = {
    {ReplayMode::kReplayDecisions, "replay_decisions"},
    {ReplayMode::kReexecute, "reexecute"},
};

struct PlanRecording {
  RecordingLevel level = RecordingLevel::kL0;
  EnumSet<ReplayMode> replay_modes{ReplayMode::kReplayDecisions};
  bool operator==(const PlanRecording&) const = default;
};

struct ResolvedTurnPlan {
  TurnId turn;
  std::int64_t turn_sequence = 1;  // its number in the session
  std::string pipeline_version;
  std::string plan_hash;  // set by Freeze()
  std::string graph_definition_ref;
  std::string execution_profile;
  std::int64_t authority_epoch = 0;
  PlanBudgets budgets;
  PlanRetry retry;
  PlanTimeouts timeouts;
  std::map<std::string, std::string, std::less<>> provider_bindings;
  PlanNodePolicy node;
  PlanFlow flow;
  AdaptiveActionSet allowed_adaptive_actions;
  SnapshotProvenance provenance;
  PlanRecording recording;
  Determinism determinism;

  // kInvalidArgument, naming the field. Does not look at the hash.
  Result<void> Validate() const;
  // SHA-256 of the canonical form without plan_hash and without the seed, which is drawn from it.
  Result<std::string> ComputeHash() const;
  // Validates, then sets the hash and the seed.
  Result<void> Freeze();
  // Validates, and fails when hash or seed are not those of the content.
  Result<void> CheckFrozen() const;

  json::object ToJson() const;
  bool operator==(const ResolvedTurnPlan&) const = default;
};

// Parts that policy snapshots carry in the same form.
PlanBudgets ReadBudgets(JsonReader& in);
PlanRetry ReadRetry(JsonReader& in);
PlanTimeouts ReadTimeouts(JsonReader& in);
PlanRecording ReadRecording(JsonReader& in);
AdaptiveActionSet ReadAdaptiveActions(JsonReader& in, std::string_view key);

// Strict, and the hash must be that of the content.
Result<ResolvedTurnPlan> ParseTurnPlan(const json::value& value);

}  // namespace falconer::model
