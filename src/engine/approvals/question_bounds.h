#pragma once
// QuestionBounds: how many questions may be put to people. Pages decide what they send and how
// often: without a bound one of them could fill the records and tire whoever decides until he says
// yes.

#include <chrono>
#include <deque>
#include <map>

#include "base/async/deadline.h"
#include "base/error.h"
#include "base/ids.h"

namespace falconer::engine {

struct QuestionLimits {
  std::size_t per_turn = 16;
  std::size_t per_tenant = 60;  // within `window`
  Duration window = std::chrono::minutes(1);
};

class QuestionBounds {
 public:
  explicit QuestionBounds(QuestionLimits limits) : limits_(limits) {}

  // Counts one more of a turn ("" for none) and a tenant. kApprovalDenied, reason
  // "too_many_questions", when there were too many; then it is not counted.
  Result<void> Take(const TenantId& tenant, const TurnId& turn, TimePoint now);

 private:
  QuestionLimits limits_;
  std::map<TurnId, std::size_t> turns_;
  std::deque<TurnId> order_;  // of their first questions; the oldest turns are forgotten
  std::map<TenantId, std::deque<TimePoint>> tenants_;
};

}  // namespace falconer::engine
