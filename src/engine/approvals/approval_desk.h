#pragma once
// ApprovalDesk: asks people before something happens, and waits for them. A question is durable
// before anybody hears of it, and an approval counts only once it is durable, on record and used
// up. Whatever goes wrong on the way, the answer is no.
//
// On one event loop; nothing here is thread safe.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/async/call_context.h"
#include "base/async/event_hub.h"
#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "engine/approvals/approval_channel.h"
#include "engine/approvals/approval_meter.h"
#include "engine/approvals/question_bounds.h"
#include "engine/approvals/take_decision.h"

namespace falconer::engine {

struct ApprovalDeskConfig {
  std::string owner;  // of this process, see kernel/leases/lease_owner.h
  // How long people have when the terms do not say.
  Duration timeout = std::chrono::minutes(10);
  // How often decisions of other processes are looked for, while anything is pending.
  Duration look_every = std::chrono::milliseconds(250);
  QuestionLimits limits = {};
};

// How a question ended.
struct ApprovalOutcome {
  model::ApprovalRecord record;
  Duration waited{};

  bool is_approved() const { return record.state == model::ApprovalState::kApproved; }
  // kApprovalDenied or kApprovalTimeout, with the reason and "approval_id", unless it is approved.
  Result<void> Check() const;
};

class ApprovalDesk {
 public:
  // What its recorder fails at is not approved.
  using Recorder = ApprovalRecorder;

  // `records` must outlive the desk.
  ApprovalDesk(Executor executor, Clock& clock, ApprovalRecords& records, ApprovalDeskConfig config,
               Recorder record);
  ~ApprovalDesk();
  ApprovalDesk(const ApprovalDesk&) = delete;
  ApprovalDesk& operator=(const ApprovalDesk&) = delete;

  // Ends, as denied, what was asked by processes that are gone. Before the first Ask().
  Task<Result<void>> Start();

  // Asks and waits for the end: approved (and with that used up), denied, expired or void. Fills in
  // id, owner, call and times; `expires` may be set, and is then kept. Fails when the question or
  // its end cannot be kept or recorded, and, with the reason, when `ctx` ends first: the question
  // is then void. What a turn asks about once more while people decide about the same bytes is no
  // other question: it shares the answer, but not the approval, which is for one of them.
  // kApprovalDenied, reason "too_many_questions", beyond the limits.
  Task<Result<ApprovalOutcome>> Ask(CallContext ctx, model::ApprovalRequest request);
  // What was asked about is gone. Nothing for a question that is over or of somebody else.
  void Withdraw(const std::string& request_id, std::string why);
  // What was approved was not let go after all, for this reason: puts that on record.
  Task<void> NoteUnused(model::ApprovalRecord record, Error why);
  // The answer of a person that reached this process. As store::ApprovalStore::DecideApproval.
  Task<Result<model::ApprovalRecord>> Decide(model::ApprovalDecision decision);

  // `channel` must outlive the desk.
  void AddChannel(ApprovalChannel& channel);
  // What this desk waits for now, oldest first.
  std::vector<model::ApprovalRequest> Pending() const;
  // Told when something is asked or is over.
  EventHub<>& on_changed() { return on_changed_; }
  // The same with what it is: a question that is durable, and the end of one.
  EventHub<const model::ApprovalRequest&>& on_asked() { return on_asked_; }
  EventHub<const model::ApprovalRecord&>& on_ended() { return on_ended_; }
  const ApprovalMeter& meter() const { return meter_; }

  // Ends what is pending as void, and waits until everybody who asked knows. Nothing is asked any
  // more.
  Task<void> Stop();

 private:
  struct Question;
  class Asking;
  using QuestionPtr = std::shared_ptr<Question>;

  class Opening;

  void Complete(const CallContext& ctx, model::ApprovalRequest& request) const;
  // What is asked about already: the same bytes, in the same turn.
  QuestionPtr SameAs(const model::ApprovalRequest& request) const;
  // Waits while the same is asked about. Nothing when it must be asked after all.
  Task<Result<std::optional<ApprovalOutcome>>> Join(CallContext ctx,
                                                    const model::ApprovalRequest* request);
  Task<Result<ApprovalOutcome>> AskAnew(CallContext ctx, model::ApprovalRequest request);
  Task<Result<ApprovalOutcome>> Settle(CallContext ctx, QuestionPtr question);
  Task<Result<void>> AwaitEnd(CallContext ctx, QuestionPtr question);
  static Task<void> End(ApprovalDesk* self, QuestionPtr question, model::ApprovalEnd end);
  // Looks for decisions of other processes for as long as anything is pending.
  static Task<void> Look(ApprovalDesk* self);
  void LookIfNeeded();
  Task<void> Refresh(QuestionPtr question);
  void Close(const QuestionPtr& question);

  Executor executor_;
  Clock& clock_;
  ApprovalRecords& records_;
  ApprovalDeskConfig config_;
  Recorder record_;
  std::vector<ApprovalChannel*> channels_;
  QuestionBounds bounds_;
  // Being put down, and not yet pending.
  std::set<std::string> opening_;
  std::map<std::string, QuestionPtr> pending_;
  EventHub<> on_changed_;
  EventHub<const model::ApprovalRequest&> on_asked_;
  EventHub<const model::ApprovalRecord&> on_ended_;
  Notifier changes_;
  ApprovalMeter meter_;
  bool is_looking_ = false;
  bool is_stopping_ = false;
  TaskScope tasks_;
};

}  // namespace falconer::engine
