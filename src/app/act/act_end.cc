#include "app/act/act_end.h"

#include <algorithm>
#include <utility>

namespace falconer::app {
namespace {

// Said by policy while a turn runs; what is refused before has no turn.
constexpr ErrorCode kRefusals[] = {
    ErrorCode::kPolicyDenied,      ErrorCode::kSecurityDomainBlock, ErrorCode::kSecurityJsBlocked,
    ErrorCode::kCapabilityMissing, ErrorCode::kConstraintViolated,  ErrorCode::kApprovalDenied,
    ErrorCode::kApprovalTimeout,
};

// Nobody said no: it was given up before its turn came.
constexpr ErrorCode kGivenUp[] = {ErrorCode::kTimeout, ErrorCode::kCancelled};

bool IsRefused(const model::ActionExecutionResult& result) {
  const bool is_given_up = std::ranges::find(kGivenUp, result.failure->code) != std::end(kGivenUp);
  const bool has_no_turn = result.turn_id.empty() && result.ledger;
  return (has_no_turn && !is_given_up) ||
         std::ranges::find(kRefusals, result.failure->code) != std::end(kRefusals);
}

bool AsksForPerson(const model::ActionExecutionResult& result, Escalation escalation) {
  if (result.failure->code == ErrorCode::kSecurityApprovalRequired) return true;
  if (escalation == Escalation::kByDefault || !result.escalation) return false;
  return result.escalation->mode == model::EscalationMode::kHumanReview ||
         result.escalation->mode == model::EscalationMode::kVisionFallback;
}

}  // namespace

const ActEndRow& RowOf(ActEnd end) {
  for (const ActEndRow& row : kActEnds) {
    if (row.end == end) return row;
  }
  std::unreachable();
}

ActEnd EndOf(const model::ActionExecutionResult& result, Escalation escalation) {
  if (result.success || !result.failure) return ActEnd::kOk;
  if (result.failure->code == ErrorCode::kOutcomeUnknown) return ActEnd::kUnknown;
  if (AsksForPerson(result, escalation)) return ActEnd::kNeedsPerson;
  return IsRefused(result) ? ActEnd::kRefused : ActEnd::kFailed;
}

}  // namespace falconer::app
