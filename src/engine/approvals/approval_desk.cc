#include "engine/approvals/approval_desk.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "engine/approvals/approval_events.h"

namespace falconer::engine {
namespace {

using model::ApprovalEnd;
using model::ApprovalRecord;
using model::ApprovalRequest;
using model::ApprovalState;

constexpr std::uint64_t kMostLeft = 1000;
constexpr std::string_view kNobody = "nobody decided in time";
constexpr std::string_view kLeft = "nobody waits for it any more";
constexpr std::string_view kStopping = "the program that asked is stopping";

// What makes two questions one.
std::string KeyOf(const ApprovalRequest& request) {
  return request.tenant.value() + " " + request.turn.value() + " " + request.digest;
}

}  // namespace

struct ApprovalDesk::Question {
  ApprovalRequest request;
  TimePoint since;
  // How it ended, or why that cannot be told.
  std::optional<Result<ApprovalRecord>> end;
  bool is_ending = false;
};

// Closes the question however the coroutine that asked it ends.
class ApprovalDesk::Asking {
 public:
  Asking(ApprovalDesk* desk, QuestionPtr question) : desk_(desk), question_(std::move(question)) {
    desk_->pending_[question_->request.request_id] = question_;
    desk_->meter_.Asked();
  }
  ~Asking() {
    if (!question_->end) desk_->Withdraw(question_->request.request_id, std::string(kLeft));
    desk_->Close(question_);
  }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;

 private:
  ApprovalDesk* desk_;
  QuestionPtr question_;
};

// Until its question is pending, or not to be.
class ApprovalDesk::Opening {
 public:
  Opening(ApprovalDesk* desk, std::string key) : desk_(desk), key_(std::move(key)) {
    desk_->opening_.insert(key_);
  }
  ~Opening() {
    desk_->opening_.erase(key_);
    desk_->changes_.NotifyAll();
  }
  Opening(const Opening&) = delete;
  Opening& operator=(const Opening&) = delete;

 private:
  ApprovalDesk* desk_;
  std::string key_;
};

Result<void> ApprovalOutcome::Check() const {
  if (is_approved()) return {};
  const bool is_late = record.state == ApprovalState::kExpired;
  const std::string_view state = NameIn(model::kApprovalStates, record.state);
  std::string message = "approval " + record.request.request_id + ": " + std::string(state);
  if (!record.end_reason.empty()) message += ": " + record.end_reason;
  return Fail(Error(is_late ? ErrorCode::kApprovalTimeout : ErrorCode::kApprovalDenied,
                    std::move(message),
                    {{"approval_id", record.request.request_id}, {"state", state}}));
}

ApprovalDesk::ApprovalDesk(Executor executor, Clock& clock, ApprovalRecords& records,
                           ApprovalDeskConfig config, Recorder record)
    : executor_(std::move(executor)),
      clock_(clock),
      records_(records),
      config_(std::move(config)),
      record_(std::move(record)),
      bounds_(config_.limits),
      tasks_(executor_) {
}

ApprovalDesk::~ApprovalDesk() = default;

Task<Result<void>> ApprovalDesk::Start() {
  CO_TRY_ASSIGN(const auto left,
                co_await records_.List(
                    {.tenant = TenantId(), .state = ApprovalState::kPending, .limit = kMostLeft}));
  for (const ApprovalRecord& record : left) {
    CO_TRY(co_await EndIfAskerGone(&records_, &record_, record));
  }
  co_return Result<void>();
}

void ApprovalDesk::Complete(const CallContext& ctx, ApprovalRequest& request) const {
  if (request.request_id.empty()) request.request_id = model::NewApprovalId();
  if (request.call.empty()) request.call = ctx.ids().call;
  request.owner = config_.owner;
  request.asked = clock_.WallNow();
  const bool has_end = request.expires != WallTime();
  const Duration most =
      request.terms.timeout.count() > 0 ? Duration(request.terms.timeout) : config_.timeout;
  if (!has_end) {
    request.expires = request.asked + std::chrono::duration_cast<WallTime::duration>(most);
  }
}

Task<Result<ApprovalOutcome>> ApprovalDesk::Ask(CallContext ctx, ApprovalRequest request) {
  CO_TRY(ctx.StillWanted("the approval"));
  CO_TRY_ASSIGN(auto joined, co_await Join(ctx, &request));
  if (joined) co_return *std::move(joined);
  co_return co_await AskAnew(std::move(ctx), std::move(request));
}

ApprovalDesk::QuestionPtr ApprovalDesk::SameAs(const ApprovalRequest& request) const {
  if (request.turn.empty()) return nullptr;
  for (const auto& [id, question] : pending_) {
    if (!question->end && KeyOf(question->request) == KeyOf(request)) return question;
  }
  return nullptr;
}

Task<Result<std::optional<ApprovalOutcome>>> ApprovalDesk::Join(CallContext ctx,
                                                                const ApprovalRequest* request) {
  const TimePoint since = clock_.Now();
  for (;;) {
    CO_TRY(co_await changes_.Until(
        ctx, [&] { return !opening_.contains(KeyOf(*request)); }, "the same question"));
    const QuestionPtr same = SameAs(*request);
    if (!same) co_return std::optional<ApprovalOutcome>();
    CO_TRY(co_await changes_.Until(
        ctx, [&same] { return same->end.has_value(); }, "the same question"));
    CO_TRY_ASSIGN(ApprovalRecord record, *same->end);
    if (record.state == ApprovalState::kApproved) {
      co_return Fail(
          Error(ErrorCode::kApprovalDenied, "exactly this was approved once, and is let go once",
                {{"reason", "approved_once"}, {"approval_id", record.request.request_id}}));
    }
    // What the other one no longer wants to know, this one does.
    if (record.state == ApprovalState::kVoid) continue;
    co_return ApprovalOutcome{.record = std::move(record), .waited = clock_.Now() - since};
  }
}

Task<Result<ApprovalOutcome>> ApprovalDesk::AskAnew(CallContext ctx, ApprovalRequest request) {
  if (is_stopping_) co_return Fail(ErrorCode::kApprovalDenied, std::string(kStopping));
  CO_TRY(bounds_.Take(request.tenant, request.turn, clock_.Now()));
  std::optional<Opening> opening;
  if (!request.turn.empty()) opening.emplace(this, KeyOf(request));
  Complete(ctx, request);
  CO_TRY(co_await records_.Put(request));
  auto question = std::make_shared<Question>(
      Question{.request = std::move(request), .since = clock_.Now(), .end = std::nullopt});
  const std::string id = question->request.request_id;
  const Asking asking(this, question);
  opening.reset();
  auto asked = co_await record_(question->request.tenant, AskedEvent(question->request));
  if (!asked) {
    co_await End(this, question, {id, ApprovalState::kVoid, "the question cannot be recorded"});
    co_return Fail(std::move(asked).error());
  }
  for (ApprovalChannel* channel : channels_) channel->Announce(question->request);
  on_asked_.Emit(question->request);
  on_changed_.Emit();
  LookIfNeeded();
  co_return co_await Settle(std::move(ctx), question);
}

// The end is on record and the approval used up before anybody acts on it.
Task<Result<ApprovalOutcome>> ApprovalDesk::Settle(CallContext ctx, QuestionPtr question) {
  const Result<void> waited = co_await AwaitEnd(std::move(ctx), question);
  CO_TRY_ASSIGN(ApprovalRecord record, *question->end);
  CO_TRY(co_await record_(record.request.tenant, EndedEvent(record)));
  CO_TRY(waited);
  if (record.state == ApprovalState::kApproved) {
    CO_TRY(co_await records_.Use(
        {record.request.request_id, config_.owner, question->request.digest}));
  }
  co_return ApprovalOutcome{.record = std::move(record), .waited = clock_.Now() - question->since};
}

// There is an end when this returns, also when it fails because nobody waits any more.
Task<Result<void>> ApprovalDesk::AwaitEnd(CallContext ctx, QuestionPtr question) {
  const auto ended = co_await changes_.Until(
      std::move(ctx), [question] { return question->end.has_value(); }, "an approval");
  if (ended) co_return ended;
  if (!question->end) {
    co_await End(this, question,
                 {question->request.request_id, ApprovalState::kVoid,
                  std::string(kLeft) + ": " + ended.error().message()});
  }
  co_return ended;
}

// Whatever the store says it came to counts: somebody may have decided at the same moment.
Task<void> ApprovalDesk::End(ApprovalDesk* self, QuestionPtr question, ApprovalEnd end) {
  auto ended = co_await self->records_.End(std::move(end));
  if (!question->end) question->end = std::move(ended);
  self->changes_.NotifyAll();
}

void ApprovalDesk::Withdraw(const std::string& request_id, std::string why) {
  const auto found = pending_.find(request_id);
  if (found == pending_.end() || found->second->end || found->second->is_ending) return;
  found->second->is_ending = true;
  tasks_.Spawn("approval.withdraw",
               End(this, found->second, {request_id, ApprovalState::kVoid, std::move(why)}));
}

Task<Result<ApprovalRecord>> ApprovalDesk::Decide(model::ApprovalDecision decision) {
  decision.decided = clock_.WallNow();
  CO_TRY_ASSIGN(ApprovalRecord record, co_await TakeDecision(&records_, &record_, decision));
  const auto found = pending_.find(decision.request_id);
  if (found != pending_.end() && record.is_over() && !found->second->end) {
    found->second->end = record;
    changes_.NotifyAll();
  }
  co_return record;
}

Task<void> ApprovalDesk::NoteUnused(ApprovalRecord record, Error why) {
  const auto noted = co_await record_(record.request.tenant, UnusedEvent(record, why));
  if (!noted) {
    LOG(error, "approval.unused_not_recorded", {"approval", record.request.request_id},
        {"session", record.request.session.value()}, {"turn", record.request.turn.value()},
        {"why", Describe(noted.error())});
  }
}

void ApprovalDesk::LookIfNeeded() {
  if (is_looking_) return;
  is_looking_ = true;
  tasks_.Spawn("approval.look", Look(this));
}

Task<void> ApprovalDesk::Look(ApprovalDesk* self) {
  const CallContext ctx(self->executor_, self->clock_);
  for (;;) {
    const auto idle = co_await self->changes_.Until(
        ctx.WithTimeout(self->config_.look_every), [self] { return self->pending_.empty(); },
        "an approval");
    if (idle) break;
    const auto pending = self->pending_;
    for (const auto& [id, question] : pending) co_await self->Refresh(question);
  }
  self->is_looking_ = false;
}

Task<void> ApprovalDesk::Refresh(QuestionPtr question) {
  if (question->end || question->is_ending) co_return;
  auto record = co_await records_.Find(question->request.request_id);
  if (!record) {
    LOG(warn, "approval.not_seen", {"approval", question->request.request_id},
        {"session", question->request.session.value()}, {"turn", question->request.turn.value()},
        {"why", Describe(record.error())});
    // Without its record nobody can have approved it, and its time must end all the same.
    if (clock_.WallNow() >= question->request.expires && !question->end) {
      question->end = std::move(record);
      changes_.NotifyAll();
    }
    co_return;
  }
  if (!record->is_over() || question->end) co_return;
  if (record->state == ApprovalState::kExpired && record->end_reason.empty()) {
    co_return co_await End(
        this, question,
        {question->request.request_id, ApprovalState::kExpired, std::string(kNobody)});
  }
  question->end = std::move(record);
  changes_.NotifyAll();
}

void ApprovalDesk::Close(const QuestionPtr& question) {
  pending_.erase(question->request.request_id);
  const bool is_known = question->end && *question->end;
  const ApprovalState state = is_known ? (*question->end)->state : ApprovalState::kVoid;
  meter_.Ended(state, clock_.Now() - question->since);
  if (is_known) {
    for (ApprovalChannel* channel : channels_) channel->Ended(**question->end);
    on_ended_.Emit(**question->end);
  }
  on_changed_.Emit();
  changes_.NotifyAll();
}

void ApprovalDesk::AddChannel(ApprovalChannel& channel) {
  channels_.push_back(&channel);
}

std::vector<ApprovalRequest> ApprovalDesk::Pending() const {
  std::vector<ApprovalRequest> out;
  for (const auto& [id, question] : pending_) {
    if (!question->end) out.push_back(question->request);
  }
  std::ranges::sort(out, {}, &ApprovalRequest::asked);
  return out;
}

Task<void> ApprovalDesk::Stop() {
  is_stopping_ = true;
  const auto pending = pending_;
  for (const auto& [id, question] : pending) Withdraw(id, std::string(kStopping));
  co_await tasks_.Join();
}

}  // namespace falconer::engine
