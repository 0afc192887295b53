#pragma once
// ApprovalMeter: how many questions were asked and how they ended, as plain numbers for metrics.

#include <cstdint>
#include <vector>

#include "base/async/deadline.h"
#include "model/approval/approval_record.h"

namespace falconer::engine {

struct ApprovalMeter {
  std::int64_t pending = 0;  // now: falconer_executor_approvals_pending
  // Since the start: falconer_approvals_total by state.
  std::int64_t asked = 0;
  std::int64_t approved = 0;
  std::int64_t denied = 0;
  std::int64_t expired = 0;
  std::int64_t voided = 0;
  // From question to end, over all that people answered: falconer_approvals_decision_seconds.
  std::int64_t decided = 0;
  Duration decision_time{};
  Duration longest_decision{};

  void Asked();
  void Ended(model::ApprovalState state, Duration waited);
};

}  // namespace falconer::engine
