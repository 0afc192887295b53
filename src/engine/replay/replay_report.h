#pragma once
// ReplayReport: what came of evaluating recorded decisions again: one check per decision, each
// reproduced, diverged (with its class) or missing (evidence that is not there). Nothing passes in
// silence.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/json/json_reader.h"

namespace falconer::engine {

// In what way a decision came out differently.
enum class DivergenceClass : std::uint8_t {
  kPlan,            // another plan from the same snapshots
  kOutcome,         // another verdict from the same facts
  kOrdering,        // in another order than decisions are made in
  kTiming,          // a pause other than the policy's, beyond the tolerance
  kAuthority,       // under an epoch or a tenant that had no authority
  kProviderChoice,  // another provider than the one that was bound
};

inline constexpr EnumName<DivergenceClass> kDivergenceClasses[] = {
    {DivergenceClass::kPlan, "PLAN"},
    {DivergenceClass::kOutcome, "OUTCOME"},
    {DivergenceClass::kOrdering, "ORDERING"},
    {DivergenceClass::kTiming, "TIMING"},
    {DivergenceClass::kAuthority, "AUTHORITY"},
    {DivergenceClass::kProviderChoice, "PROVIDER_CHOICE"},
};

enum class ReplayStatus : std::uint8_t { kReproduced, kExpected, kMissing, kDiverged };

// From best to worst.
inline constexpr EnumName<ReplayStatus> kReplayStatuses[] = {
    {ReplayStatus::kReproduced, "reproduced"},
    {ReplayStatus::kExpected, "expected"},
    {ReplayStatus::kMissing, "missing"},
    {ReplayStatus::kDiverged, "diverged"},
};

// One decision.
struct ReplayCheck {
  std::string decision;  // "gate.domain", "plan", "rule.2", ...
  ReplayStatus status = ReplayStatus::kReproduced;
  std::optional<DivergenceClass> divergence;  // when it diverged, also as expected
  std::string detail;  // what was decided, what it would be now, or what is not there
  std::optional<std::int64_t> diff_ms;  // for kTiming

  json::object ToJson() const;
};

// All decisions about one contract: a turn, or a refusal before one was opened.
struct TurnReplay {
  TurnId turn;  // empty for a refusal
  ActionId action;
  std::string action_type;
  std::vector<std::uint64_t> records;
  std::vector<ReplayCheck> checks;

  void Reproduced(std::string decision, std::string detail = {});
  void Missing(std::string decision, std::string what);
  void Diverged(std::string decision, DivergenceClass how, std::string detail);

  ReplayStatus status() const;
  // The turn, or "refusal of <action>".
  std::string Title() const;
  json::object ToJson() const;
};

struct ReplayReport {
  std::string id;        // as it was asked for
  std::string found_by;  // the field that had it
  TenantId tenant;
  std::vector<TurnReplay> turns;
  // Divergences that were announced and did not come.
  std::vector<std::string> not_seen;
  std::uint64_t next = 0;  // where the next page begins; 0 when there is none

  ReplayStatus status() const;
  json::object ToJson() const;
};

}  // namespace falconer::engine
