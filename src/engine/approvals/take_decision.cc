#include "engine/approvals/take_decision.h"

#include <utility>

#include "base/log.h"
#include "engine/approvals/approval_events.h"
#include "kernel/leases/lease_owner.h"

namespace falconer::engine {
namespace {

using model::ApprovalRecord;
using model::ApprovalState;

constexpr std::string_view kAskerGone = "the program that asked has ended";

// An approval that nobody waits for would stand there as if something had come of it.
Task<Result<void>> CheckAsker(ApprovalRecords* records, const ApprovalRecorder* record,
                              std::string request_id) {
  CO_TRY_ASSIGN(ApprovalRecord asked, co_await records->Find(request_id));
  CO_TRY_ASSIGN(const ApprovalRecord ended,
                co_await EndIfAskerGone(records, record, std::move(asked)));
  if (!WasAskerGone(ended)) co_return Result<void>();
  co_return Fail(
      Error(ErrorCode::kApprovalDenied,
            "the program that asked has ended: nothing is approved, and the question is denied",
            {{"approval_id", request_id}, {"state", NameIn(model::kApprovalStates, ended.state)}}));
}

}  // namespace

bool WasAskerGone(const ApprovalRecord& record) {
  return record.state == ApprovalState::kDenied && record.end_reason == kAskerGone;
}

Task<Result<ApprovalRecord>> EndIfAskerGone(ApprovalRecords* records,
                                            const ApprovalRecorder* record, ApprovalRecord asked) {
  if (asked.is_over() || !kernel::HasEnded(asked.request.owner)) co_return asked;
  const model::ApprovalEnd end{asked.request.request_id, ApprovalState::kDenied,
                               std::string(kAskerGone)};
  CO_TRY_ASSIGN(ApprovalRecord ended, co_await records->End(end));
  LOG(info, "approval.left_behind", {"approval", end.request_id});
  CO_TRY(co_await (*record)(ended.request.tenant, EndedEvent(ended)));
  co_return ended;
}

Task<Result<ApprovalRecord>> TakeDecision(ApprovalRecords* records, const ApprovalRecorder* record,
                                          model::ApprovalDecision decision) {
  if (decision.answer == model::ApprovalAnswer::kApprove) {
    CO_TRY(co_await CheckAsker(records, record, decision.request_id));
  }
  CO_TRY_ASSIGN(ApprovalRecord taken, co_await records->Decide(decision));
  const auto recorded = co_await (*record)(taken.request.tenant, DecidedEvent(taken, decision));
  if (!recorded) {
    co_return Fail(recorded.error().code(), "the answer is kept, but not on record yet: " +
                                                std::string(recorded.error().message()));
  }
  co_return taken;
}

}  // namespace falconer::engine
