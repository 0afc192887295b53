#include "engine/check_look.h"

#include <utility>

#include "engine/control/denial.h"
#include "engine/plan_record.h"

namespace falconer::engine {
namespace {

// Reading is what the state extractor answers.
constexpr model::ActionType kLooking = model::ActionType::kSnapshot;

// What was asked for: a look, or a tool.
struct Asked {
  std::string_view kind;
  std::string name;
};

json::object RefusalPayload(const kernel::GateInput& input, const Asked& asked,
                            const kernel::Verdict& verdict, const Error& error,
                            const DecisionLog& decisions) {
  return {{"workflow", input.workflow.value()},
          {"session", input.session.value()},
          {"agent", input.agent},
          {asked.kind, asked.name},
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

Task<Result<void>> AskGates(CallContext ctx, Runtime* runtime, WorkflowSession* session,
                            kernel::GateInput input, Asked asked, kernel::GateReach reach) {
  kernel::Admission admission;
  DecisionLog decisions;
  input.admission = &admission;
  const kernel::Verdict verdict = co_await kernel::RunGates(ctx, &runtime->parts().gates, &input,
                                                            &session->stamper, &decisions, reach);
  if (verdict.is_admit()) {
    admission.action.Spend();
    co_return Result<void>();
  }
  const Error error = WithDenial(
      verdict.error.value_or(Error(ErrorCode::kKernelError, verdict.reason)), decisions.last_id());
  CO_TRY(co_await WriteRefusal(runtime, input.tenant, &admission,
                               RefusalPayload(input, asked, verdict, error, decisions)));
  co_return std::unexpected(error);
}

kernel::GateInput InputOf(const Caller& caller, const WorkflowSession& session) {
  return {.tenant = caller.tenant,
          .workflow = session.key.workflow,
          .agent = caller.agent,
          .session = session.id,
          .token = caller.token,
          .asking = kernel::Asking::kNobody,
          .began = session.began};
}

}  // namespace

Task<Result<void>> CheckLook(CallContext ctx, Runtime* runtime, const Caller* caller,
                             WorkflowSession* session, std::string page_url,
                             kernel::GateReach reach) {
  kernel::GateInput input = InputOf(*caller, *session);
  input.action_type = model::ActionName(kLooking);
  input.action = kLooking;
  input.page_url = std::move(page_url);
  Asked asked{.kind = "look", .name = input.action_type};
  co_return co_await AskGates(std::move(ctx), runtime, session, std::move(input), std::move(asked),
                              reach);
}

Task<Result<void>> CheckKeptPage(CallContext ctx, Runtime* runtime, Caller caller,
                                 std::string page_url) {
  const auto session = runtime->SessionAside({caller.tenant, WorkflowId("crawl-kept")});
  co_return co_await CheckLook(std::move(ctx), runtime, &caller, session.get(), std::move(page_url),
                               kernel::GateReach::kLook);
}

Task<Result<void>> CheckCall(CallContext ctx, Runtime* runtime, Caller caller,
                             CallQuestion question) {
  const auto session = runtime->SessionAside({caller.tenant, question.workflow});
  kernel::GateInput input = InputOf(caller, *session);
  input.needs = question.needs;
  Asked asked{.kind = "tool", .name = std::move(question.tool)};
  co_return co_await AskGates(std::move(ctx), runtime, session.get(), std::move(input),
                              std::move(asked), kernel::GateReach::kCall);
}

}  // namespace falconer::engine
