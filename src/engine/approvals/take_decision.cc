#include "engine/approvals/take_decision.h"

#include "engine/approvals/approval_events.h"

namespace falconer::engine {

Task<Result<model::ApprovalRecord>> TakeDecision(ApprovalRecords* records,
                                                 const ApprovalRecorder* record,
                                                 model::ApprovalDecision decision) {
  CO_TRY_ASSIGN(model::ApprovalRecord taken, co_await records->Decide(decision));
  const auto recorded = co_await (*record)(taken.request.tenant, DecidedEvent(taken, decision));
  if (!recorded) {
    co_return Fail(recorded.error().code(), "the answer is kept, but not on record yet: " +
                                                std::string(recorded.error().message()));
  }
  co_return taken;
}

}  // namespace falconer::engine
