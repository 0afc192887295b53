#include "engine/approvals/approval_meter.h"

#include <algorithm>
#include <utility>

namespace falconer::engine {
namespace {

using model::ApprovalState;

struct TallyRow {
  ApprovalState state;
  std::int64_t ApprovalMeter::* count;
  bool is_by_people;
};

constexpr TallyRow kTallies[] = {
    {ApprovalState::kApproved, &ApprovalMeter::approved, true},
    {ApprovalState::kDenied, &ApprovalMeter::denied, true},
    {ApprovalState::kExpired, &ApprovalMeter::expired, false},
    {ApprovalState::kVoid, &ApprovalMeter::voided, false},
};

}  // namespace

void ApprovalMeter::Asked() {
  ++asked;
  ++pending;
}

void ApprovalMeter::Ended(ApprovalState state, Duration waited) {
  --pending;
  const auto* row = std::ranges::find(kTallies, state, &TallyRow::state);
  if (row == std::end(kTallies)) return;
  ++(this->*row->count);
  if (!row->is_by_people) return;
  ++decided;
  decision_time += waited;
  longest_decision = std::max(longest_decision, waited);
}

}  // namespace falconer::engine
