#include "engine/check_look.h"

#include <utility>

#include "engine/control/denial.h"
#include "engine/plan_record.h"

namespace falconer::engine {
namespace {

// Reading is what the state extractor answers.
constexpr model::ActionType kLooking = model::ActionType::kSnapshot;

json::object LookPayload(const Caller& caller, const WorkflowSession& session,
                         const kernel::Verdict& verdict, const Error& error,
                         const DecisionLog& decisions) {
  return {{"workflow", session.key.workflow.value()},
          {"session", session.id.value()},
          {"agent", caller.agent},
          {"look", model::ActionName(kLooking)},
          {"gate", verdict.gate},
          {"reason", verdict.reason},
          {"failure_code", error.name()},
          {"decisions", decisions.all()}};
}

// What is refused is on record before anybody is told.
Task<Result<void>> WriteRefusal(Runtime* runtime, TenantId tenant, const kernel::Admission* by,
                                json::object payload) {
  PlanRecord refers;
  refers.Refer(*by);
  const RuntimeParts& parts = runtime->parts();
  parts.scrubber.Scrub(payload);
  CO_TRY(co_await runtime->KeepSnapshots(tenant, std::move(refers.snapshots)));
  CO_TRY_ASSIGN(const auto receipt,
                co_await parts.ledger.Append(tenant, {.kind = ledger::RecordKind::kDecision,
                                                      .payload = std::move(payload)}));
  parts.actions.Saw(tenant, receipt.seq);
  co_return Result<void>();
}

}  // namespace

Task<Result<void>> CheckLook(CallContext ctx, Runtime* runtime, const Caller* caller,
                             WorkflowSession* session, std::string page_url,
                             kernel::GateReach reach) {
  kernel::Admission admission;
  DecisionLog decisions;
  const kernel::GateInput input{.tenant = caller->tenant,
                                .workflow = session->key.workflow,
                                .agent = caller->agent,
                                .session = session->id,
                                .action_type = std::string(model::ActionName(kLooking)),
                                .action = kLooking,
                                .token = caller->token,
                                .page_url = std::move(page_url),
                                .asking = kernel::Asking::kNobody,
                                .began = session->began,
                                .admission = &admission};
  const kernel::Verdict verdict = co_await kernel::RunGates(ctx, &runtime->parts().gates, &input,
                                                            &session->stamper, &decisions, reach);
  if (verdict.is_admit()) {
    admission.action.Spend();
    co_return Result<void>();
  }
  const Error error = WithDenial(
      verdict.error.value_or(Error(ErrorCode::kKernelError, verdict.reason)), decisions.last_id());
  CO_TRY(co_await WriteRefusal(runtime, caller->tenant, &admission,
                               LookPayload(*caller, *session, verdict, error, decisions)));
  co_return std::unexpected(error);
}

}  // namespace falconer::engine
