#include "app/approvals/approval_commands.h"

#include <algorithm>
#include <fmt/format.h>

#include "app/approvals/approval_news.h"
#include "app/approvals/approval_text.h"
#include "app/approvals/approver_rank.h"
#include "app/approvals/store_approval_records.h"
#include "app/desk/control_desk.h"
#include "app/desk/option_values.h"
#include "engine/approvals/take_decision.h"

namespace falconer::app {
namespace {

using model::ApprovalAnswer;
using model::ApprovalRecord;

constexpr std::uint64_t kMostApprovalRows = 1000;
constexpr auto kWatchEvery = std::chrono::milliseconds(250);
constexpr std::string_view kAnyState = "all";

// One command at work: what it was told, and what it works with.
struct ApprovalTask {
  Program& program;
  ControlDesk& desk;
  const Arguments& arguments;
  Terminal& terminal;

  WallTime now() const { return desk.clock().WallNow(); }
};

using ApprovalWork = Task<Result<void>> (*)(ApprovalTask* task);

int RunApprovals(const Arguments& arguments, Terminal& terminal, ApprovalWork work) {
  auto program = Program::Create(arguments, LogReader::kPerson);
  if (!program) return Refuse(arguments, terminal, program.error());
  auto desk = ControlDesk::Open(**program);
  if (!desk) return Refuse(arguments, terminal, desk.error());
  ApprovalTask task{**program, **desk, arguments, terminal};
  const Result<void> done = (*program)->Run(work(&task));
  if (done) return kExitOk;
  const int code = Refuse(arguments, terminal, done.error());
  return code == kExitFailed ? (*program)->FailureCode() : code;
}

json::object ApprovalJson(const ApprovalRecord& record, WallTime now) {
  json::object out = record.ToJson();
  const auto left = std::chrono::floor<std::chrono::milliseconds>(record.request.expires - now);
  if (!record.is_over()) out["expires_in_ms"] = std::max<std::int64_t>(left.count(), 0);
  return out;
}

Result<std::optional<model::ApprovalState>> ApprovalStateOf(const Arguments& arguments) {
  const std::string& name = arguments.approval_state;
  if (name == kAnyState) return std::optional<model::ApprovalState>();
  if (name.empty()) return model::ApprovalState::kPending;
  if (const auto state = ValueIn(model::kApprovalStates, name)) return state;
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("--state: there is no state \"{}\"; there are pending, approved, denied, "
                          "expired, void and all",
                          name));
}

Result<std::string> ApprovalIdOf(const Arguments& arguments) {
  if (model::IsApprovalId(arguments.approval)) return arguments.approval;
  return Fail(ErrorCode::kInvalidArgument,
              "ID: expected apr_ and 24 hex digits, as `falconer approvals list` shows them");
}

Task<Result<void>> ListThem(ApprovalTask* task) {
  const Arguments& arguments = task->arguments;
  model::ApprovalFilter filter{.tenant = TenantId(arguments.tenant), .state = std::nullopt};
  CO_TRY_ASSIGN(filter.state, ApprovalStateOf(arguments));
  CO_TRY_ASSIGN(filter.limit, NumberOf("--limit", arguments.limit, 1, kMostApprovalRows));
  CO_TRY_ASSIGN(store::SqliteStore* const store, task->desk.store());
  CO_TRY_ASSIGN(const auto records, co_await store->ListApprovals(filter));
  json::array rows;
  for (const ApprovalRecord& record : records) {
    if (!arguments.wants_json) task->terminal.Print(ApprovalLine(record, task->now()));
    rows.push_back(ApprovalJson(record, task->now()));
  }
  if (arguments.wants_json) {
    PrintJson(task->terminal, json::object{{"ok", true}, {"approvals", std::move(rows)}});
  } else if (records.empty()) {
    task->terminal.Print("no approvals to show");
  }
  co_return Result<void>();
}

void PrintOne(const ApprovalTask& task, const ApprovalRecord& record) {
  if (task.arguments.wants_json) {
    PrintJson(task.terminal,
              json::object{{"ok", true}, {"approval", ApprovalJson(record, task.now())}});
  } else {
    PrintApproval(record, task.now(), task.terminal);
  }
}

Task<Result<void>> ShowOne(ApprovalTask* task) {
  CO_TRY_ASSIGN(const std::string id, ApprovalIdOf(task->arguments));
  CO_TRY_ASSIGN(store::SqliteStore* const store, task->desk.store());
  CO_TRY_ASSIGN(const ApprovalRecord record, co_await store->FindApproval(id));
  PrintOne(*task, record);
  co_return Result<void>();
}

std::string DecidedText(const ApprovalRecord& record) {
  const std::string& id = record.request.request_id;
  if (record.is_over())
    return fmt::format("{} is {}", id, NameIn(model::kApprovalStates, record.state));
  return fmt::format("{} has {} of {} approvals", id, record.approvals(),
                     record.request.terms.count);
}

Task<Result<void>> AppendApproval(ledger::Ledger* ledger, TenantId tenant, json::object event) {
  CO_TRY(co_await ledger->Append(tenant, {ledger::RecordKind::kApproval, std::move(event)}));
  co_return Result<void>();
}

Task<Result<void>> Decide(ApprovalTask* task, ApprovalAnswer answer) {
  const Arguments& arguments = task->arguments;
  CO_TRY_ASSIGN(const std::string id, ApprovalIdOf(arguments));
  CO_TRY_ASSIGN(store::SqliteStore* const store, task->desk.store());
  CO_TRY_ASSIGN(ledger::Ledger* const ledger, task->desk.ledger());
  const std::string who = arguments.approver.empty() ? OperatorName() : arguments.approver;
  const model::ApprovalDecision decision{.request_id = id,
                                         .answer = answer,
                                         .approver = who,
                                         .rank = RankOf(task->desk.settings(), who),
                                         .channel = "cli",
                                         .reason = arguments.reason,
                                         .decided = task->now()};
  StoreApprovalRecords records(*store);
  const engine::ApprovalRecorder recorder = [ledger](TenantId tenant, json::object event) {
    return AppendApproval(ledger, std::move(tenant), std::move(event));
  };
  CO_TRY_ASSIGN(const ApprovalRecord record,
                co_await engine::TakeDecision(&records, &recorder, decision));
  if (arguments.wants_json) {
    PrintOne(*task, record);
  } else {
    task->terminal.Print(DecidedText(record));
  }
  co_return Result<void>();
}

Task<Result<void>> ApproveOne(ApprovalTask* task) {
  return Decide(task, ApprovalAnswer::kApprove);
}

Task<Result<void>> DenyOne(ApprovalTask* task) {
  if (task->arguments.reason.empty()) {
    co_return Fail(ErrorCode::kInvalidArgument, "--reason: say why");
  }
  co_return co_await Decide(task, ApprovalAnswer::kDeny);
}

void PrintNews(const ApprovalTask& task, const ApprovalRecord& record) {
  if (task.arguments.wants_json) {
    PrintJson(task.terminal, ApprovalJson(record, task.now()));
  } else {
    task.terminal.Print(ApprovalLine(record, task.now()));
  }
}

// An interrupt is how it ends.
Task<Result<void>> WatchThem(ApprovalTask* task) {
  const CallContext ctx = task->program.NewCall();
  const model::ApprovalFilter filter{.tenant = TenantId(task->arguments.tenant),
                                     .state = std::nullopt,
                                     .limit = kMostApprovalRows};
  CO_TRY_ASSIGN(store::SqliteStore* const store, task->desk.store());
  ApprovalNews news;
  while (!ctx.cancel().is_cancelled()) {
    CO_TRY_ASSIGN(auto records, co_await store->ListApprovals(filter));
    for (const ApprovalRecord& record : news.In(std::move(records))) PrintNews(*task, record);
    if (task->terminal.has_lost_output()) break;
    Alarm alarm(ctx.executor(), ctx.clock());
    (void)co_await ctx.WithTimeout(kWatchEvery).Wait(&alarm, "approvals");
  }
  co_return Result<void>();
}

}  // namespace

int RunApprovalsList(const Arguments& arguments, Terminal& terminal) {
  return RunApprovals(arguments, terminal, &ListThem);
}

int RunApprovalsShow(const Arguments& arguments, Terminal& terminal) {
  return RunApprovals(arguments, terminal, &ShowOne);
}

int RunApprovalsApprove(const Arguments& arguments, Terminal& terminal) {
  return RunApprovals(arguments, terminal, &ApproveOne);
}

int RunApprovalsDeny(const Arguments& arguments, Terminal& terminal) {
  return RunApprovals(arguments, terminal, &DenyOne);
}

int RunApprovalsWatch(const Arguments& arguments, Terminal& terminal) {
  return RunApprovals(arguments, terminal, &WatchThem);
}

}  // namespace falconer::app
