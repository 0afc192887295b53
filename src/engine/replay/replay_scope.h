#pragma once
// For the files of the replay only: what a check may look at, and how recorded and recomputed
// values are compared.

#include <optional>
#include <string>
#include <string_view>

#include "engine/replay/evidence.h"
#include "engine/replay/replay_report.h"
#include "kernel/fences/epoch_guard.h"
#include "model/contract/contract.h"
#include "model/contract/result.h"
#include "model/turn/decision.h"
#include "model/turn/turn_plan.h"
#include "policy/rules/policy.h"
#include "policy/tokens/token_verifier.h"

namespace falconer::engine {

struct ReplayScope {
  const TurnEvidence& evidence;
  const SnapshotShelf& snapshots;
  const TenantId& tenant;
  std::chrono::milliseconds timing_tolerance{15};
  TurnReplay& out;
  // What earlier checks could read; nothing when they could not.
  std::optional<model::ActionContract> contract;
  // What follows from a contract with a masked part need not be what followed from the original.
  bool is_contract_whole = true;
  std::optional<model::ActionExecutionResult> result;
  std::optional<model::ResolvedTurnPlan> plan;
  std::optional<kernel::LeaseFacts> lease;
};

// One kind of decision each; what they find is in scope.out.
void CheckRecords(ReplayScope& scope);
void CheckContract(ReplayScope& scope);
void CheckGates(ReplayScope& scope);
void CheckRefusal(ReplayScope& scope);
void CheckPlan(ReplayScope& scope);
void CheckResult(ReplayScope& scope);
void CheckRules(ReplayScope& scope);
void CheckAttempts(ReplayScope& scope);
void CheckRulings(ReplayScope& scope);
void CheckVerdict(ReplayScope& scope);
void CheckEnd(ReplayScope& scope);
void CheckView(ReplayScope& scope);

// Nothing was asked of the gates: something else was in the way.
bool WasRefusedBeforeTheGates(const TurnEvidence& evidence);

// What tokens allowed and what policies said, as far as it is on record. kNotFound when it is not,
// kInvalidArgument when it cannot be read.
Result<policy::VerifiedToken> TokenOnRecord(const ReplayScope& scope, const std::string& digest,
                                            WallTime issued);
Result<policy::Policy> PolicyOnRecord(const ReplayScope& scope, const std::string& digest);

// How a recorded value compares with the one that comes out now. What was masked before it was
// written cannot be compared.
enum class Sameness { kSame, kWithheld, kDifferent };
Sameness Compare(const json::value& recorded, const json::value& now);
// Whether some text of it may have been masked.
bool HasScrubbed(const json::value& value);

// Says under `decision` how the two compare; `how` is the class when they differ.
void Report(ReplayScope& scope, std::string decision, DivergenceClass how,
            const json::value& recorded, const json::value& now);
// The names of the members that differ.
std::string DifferingFields(const json::object& recorded, const json::object& now);

// The member, or null.
const json::value* At(const json::object& object, std::string_view key);
// For a sentence: a short piece of its text.
std::string Brief(const json::value& value);
std::string Brief(std::string_view text);

}  // namespace falconer::engine
