#include "app/demo/purchase_watch.h"

#include <fmt/format.h>
#include <utility>

#include "app/approvals/approval_text.h"
#include "app/demo/demo_actor.h"

namespace falconer::app {

PurchaseWatch::PurchaseWatch(CallContext ctx, engine::ApprovalDesk& desk, DemoReport& report,
                             DemoApprover approver, std::function<Result<void>()> check)
    : ctx_(std::move(ctx)),
      desk_(desk),
      report_(report),
      approver_(approver),
      check_(std::move(check)),
      listening_(desk.on_asked().Subscribe(
          [this](const model::ApprovalRequest& request) { OnAsked(request); })),
      tasks_(ctx_.executor()) {
}

void PurchaseWatch::OnAsked(const model::ApprovalRequest& request) {
  if (request.workflow.value() != DemoActor::kWorkflow || asked_) return;
  asked_ = request;
  Tell(request);
  tasks_.Spawn("demo.approve", Answer(this));
}

void PurchaseWatch::Tell(const model::ApprovalRequest& request) {
  report_.EndStep("HELD", fmt::format("{}; nothing has left yet", request.description));
  report_.Note("approval", request.ToJson());
  if (report_.form() != OutputForm::kText) return;
  report_.Say();
  model::ApprovalRecord record;
  record.request = request;
  PrintApproval(record, ctx_.clock().WallNow(), report_.terminal());
  report_.Say();
  if (approver_ == DemoApprover::kDemo) return;
  report_.Say("  A person decides now, in the console or with one of");
  report_.Say(fmt::format("    falconer approvals approve {}", request.request_id));
  report_.Say(fmt::format("    falconer approvals deny {} --reason TEXT", request.request_id));
  report_.Say();
}

Task<void> PurchaseWatch::Answer(PurchaseWatch* self) {
  self->answered_ = self->check_();
  if (self->answered_ && self->approver_ == DemoApprover::kDemo)
    self->answered_ = co_await self->Approve();
  if (!self->answered_)
    self->desk_.Withdraw(self->asked_->request_id, self->answered_.error().message());
}

Task<Result<void>> PurchaseWatch::Approve() {
  report_.BeginStep();
  CO_TRY(co_await desk_.Decide({.request_id = asked_->request_id,
                                .answer = model::ApprovalAnswer::kApprove,
                                .approver = std::string(kPerson),
                                .rank = model::ApproverRank::kHuman,
                                .channel = "demo",
                                .reason = "three bags, as agreed",
                                .decided = ctx_.clock().WallNow()}));
  report_.EndStep("approve",
                  fmt::format("{} by {}, for exactly these bytes", asked_->request_id, kPerson));
  report_.BeginStep();
  co_return Result<void>();
}

}  // namespace falconer::app
