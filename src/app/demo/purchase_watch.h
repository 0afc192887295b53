#pragma once
// PurchaseWatch: what happens while the demo's purchase is held: the question that people are asked
// is shown, and answered by the demo where nobody is there to do it.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "app/demo/demo_report.h"
#include "base/async/call_context.h"
#include "base/async/task_scope.h"
#include "engine/approvals/approval_desk.h"

namespace falconer::app {

// Who answers.
enum class DemoApprover : std::uint8_t { kDemo, kPeople };

class PurchaseWatch {
 public:
  // The name that the demo approves under.
  static constexpr std::string_view kPerson = "ada";

  // `check` is asked while the request is held; what it fails with withdraws the question. All must
  // outlive the watch.
  PurchaseWatch(CallContext ctx, engine::ApprovalDesk& desk, DemoReport& report,
                DemoApprover approver, std::function<Result<void>()> check);

  // Waits until what was asked has been answered here.
  Task<void> Join() { return tasks_.Join(); }

  // What was asked; nothing when nobody was.
  const std::optional<model::ApprovalRequest>& asked() const { return asked_; }
  // What kept the demo from answering.
  const Result<void>& answered() const { return answered_; }

 private:
  void OnAsked(const model::ApprovalRequest& request);
  void Tell(const model::ApprovalRequest& request);
  static Task<void> Answer(PurchaseWatch* self);
  Task<Result<void>> Approve();

  CallContext ctx_;
  engine::ApprovalDesk& desk_;
  DemoReport& report_;
  DemoApprover approver_;
  std::function<Result<void>()> check_;
  std::optional<model::ApprovalRequest> asked_;
  Result<void> answered_;
  Subscription listening_;
  TaskScope tasks_;
};

}  // namespace falconer::app
