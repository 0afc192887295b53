#include "store/sqlite/approval_table.h"

#include <algorithm>

#include "store/sqlite/wall_ms.h"

namespace falconer::store {
namespace {

using model::ApprovalRecord;
using model::ApprovalState;

// What has ended is of use for lists only; the ledger keeps it.
constexpr std::int64_t kForgetEndedMs = 30LL * 86'400'000;
constexpr std::uint64_t kMostApprovals = 1000;

std::string StateName(ApprovalState state) {
  return std::string(NameIn(model::kApprovalStates, state));
}

std::optional<WallTime> TimeAt(const Statement& row, int column) {
  const std::int64_t ms = row.NumberAt(column);
  return ms == 0 ? std::nullopt : std::optional(FromWallMs(ms));
}

std::unexpected<Error> DamagedApproval(const std::string& why) {
  return Fail(ErrorCode::kStoreDamaged, "an approval cannot be read: " + why);
}

// request, state, end_reason, ended_ms, used_ms. Whoever waits may be gone: what is pending after
// its time has expired, whether or not somebody noted it.
Result<ApprovalRecord> RecordIn(const Statement& row, WallTime now) {
  auto document = ParseJson(row.TextAt(0));
  if (!document) return DamagedApproval(document.error().message());
  auto request = model::ApprovalRequest::FromJson(*document);
  if (!request) return DamagedApproval(request.error().message());
  const auto state = ValueIn(model::kApprovalStates, row.TextAt(1));
  if (!state) return DamagedApproval("its state is \"" + row.TextAt(1) + "\"");
  ApprovalRecord record{.request = *std::move(request),
                        .state = *state,
                        .decisions = {},
                        .end_reason = row.TextAt(2),
                        .ended = TimeAt(row, 3),
                        .used = TimeAt(row, 4)};
  const bool is_late = record.state == ApprovalState::kPending && now >= record.request.expires;
  if (!is_late) return record;
  record.state = ApprovalState::kExpired;
  record.ended = record.request.expires;
  return record;
}

Result<model::ApprovalDecision> DecisionIn(const Statement& row, const std::string& request_id) {
  const auto rank = ValueIn(model::kApproverRanks, row.TextAt(2));
  if (!rank) return DamagedApproval("a rank is \"" + row.TextAt(2) + "\"");
  const bool is_approval = row.NumberAt(1) != 0;
  return model::ApprovalDecision{
      .request_id = request_id,
      .answer = is_approval ? model::ApprovalAnswer::kApprove : model::ApprovalAnswer::kDeny,
      .approver = row.TextAt(0),
      .rank = *rank,
      .channel = row.TextAt(3),
      .reason = row.TextAt(4),
      .decided = FromWallMs(row.NumberAt(5))};
}

Result<void> AddDecisions(Database& database, ApprovalRecord& record) {
  const std::string& id = record.request.request_id;
  TRY_ASSIGN(Statement find,
             database.Use("SELECT approver, approves, rank, channel, reason, decided_ms FROM"
                          " approval_decisions WHERE request_id = ? ORDER BY place"));
  find.Text(id);
  for (;;) {
    TRY_ASSIGN(const bool has_row, find.Step());
    if (!has_row) return {};
    TRY_ASSIGN(model::ApprovalDecision decision, DecisionIn(find, id));
    record.decisions.push_back(std::move(decision));
  }
}

// The last answer of a person counts, but a denial is never taken back.
Result<void> NoteDecision(Database& database, const model::ApprovalDecision& decision) {
  const bool approves = decision.answer == model::ApprovalAnswer::kApprove;
  TRY_ASSIGN(Statement note,
             database.Use("INSERT INTO approval_decisions(request_id, approver_key, approver,"
                          " approves, rank, channel, reason, decided_ms, place)"
                          " VALUES(?, ?, ?, ?, ?, ?, ?, ?, (SELECT count(*) FROM"
                          " approval_decisions WHERE request_id = ?))"
                          " ON CONFLICT(request_id, approver_key) DO UPDATE SET"
                          " approves = excluded.approves, rank = excluded.rank,"
                          " channel = excluded.channel, reason = excluded.reason,"
                          " decided_ms = excluded.decided_ms WHERE excluded.approves = 0"));
  return note.Text(decision.request_id)
      .Text(model::PersonKey(decision.approver))
      .Text(decision.approver)
      .Number(std::int64_t{approves ? 1 : 0})
      .Text(NameIn(model::kApproverRanks, decision.rank))
      .Text(decision.channel)
      .Text(decision.reason)
      .Number(ToWallMs(decision.decided))
      .Text(decision.request_id)
      .Run();
}

// Only what is pending ends: whoever comes second finds it over.
Result<void> NoteEnd(Database& database, const model::ApprovalEnd& end, WallTime now) {
  TRY_ASSIGN(Statement note,
             database.Use("UPDATE approvals SET state = ?, end_reason = ?, ended_ms = ?"
                          " WHERE request_id = ? AND state = 'pending'"));
  return note.Text(StateName(end.state))
      .Text(end.reason)
      .Number(ToWallMs(now))
      .Text(end.request_id)
      .Run();
}

Result<void> CheckOpen(const ApprovalRecord& record) {
  if (!record.is_over()) return {};
  const std::string state = StateName(record.state);
  json::object details{{"approval_id", record.request.request_id}, {"state", state}};
  if (record.state == ApprovalState::kExpired) {
    return Fail(
        Error(ErrorCode::kApprovalTimeout, "the time to decide is over", std::move(details)));
  }
  return Fail(Error(ErrorCode::kAlreadyExists,
                    "it was decided before: " + state +
                        (record.end_reason.empty() ? "" : " (" + record.end_reason + ")"),
                    std::move(details)));
}

std::optional<model::ApprovalEnd> EndAfter(const ApprovalRecord& record,
                                           const model::ApprovalDecision& decision) {
  const std::string& id = record.request.request_id;
  if (decision.answer == model::ApprovalAnswer::kDeny) {
    const std::string why = decision.reason.empty() ? "" : ": " + decision.reason;
    return model::ApprovalEnd{id, ApprovalState::kDenied, "denied by " + decision.approver + why};
  }
  if (record.approvals() < record.request.terms.count) return std::nullopt;
  return model::ApprovalEnd{id, ApprovalState::kApproved, ""};
}

Result<void> ForgetOldApprovals(Database& database, WallTime now) {
  const std::int64_t before = ToWallMs(now) - kForgetEndedMs;
  TRY_ASSIGN(Statement decisions,
             database.Use("DELETE FROM approval_decisions WHERE request_id IN (SELECT request_id"
                          " FROM approvals WHERE expires_ms < ? ORDER BY expires_ms LIMIT 8)"));
  TRY(decisions.Number(before).Run());
  TRY_ASSIGN(Statement requests,
             database.Use("DELETE FROM approvals WHERE request_id IN (SELECT request_id"
                          " FROM approvals WHERE expires_ms < ? ORDER BY expires_ms LIMIT 8)"));
  return requests.Number(before).Run();
}

Result<bool> IsKnownApproval(Database& database, const std::string& request_id) {
  TRY_ASSIGN(Statement find, database.Use("SELECT 1 FROM approvals WHERE request_id = ?"));
  return find.Text(request_id).Step();
}

}  // namespace

Result<void> PutApproval(Database& database, const model::ApprovalRequest& request, WallTime now) {
  TRY(request.Validate());
  TRY_ASSIGN(const bool is_known, IsKnownApproval(database, request.request_id));
  if (is_known) return Fail(ErrorCode::kAlreadyExists, "an approval of this id was asked before");
  TRY_ASSIGN(Statement put,
             database.Use("INSERT INTO approvals(request_id, tenant, state, owner, digest,"
                          " asked_ms, expires_ms, ended_ms, used_ms, end_reason, request)"
                          " VALUES(?, ?, 'pending', ?, ?, ?, ?, 0, 0, '', ?)"));
  TRY(put.Text(request.request_id)
          .Text(request.tenant.value())
          .Text(request.owner)
          .Text(request.digest)
          .Number(ToWallMs(request.asked))
          .Number(ToWallMs(request.expires))
          .Text(json::serialize(request.ToJson()))
          .Run());
  return ForgetOldApprovals(database, now);
}

Result<ApprovalRecord> DecideApproval(Database& database, model::ApprovalDecision decision,
                                      WallTime now) {
  TRY_ASSIGN(ApprovalRecord record, FindApproval(database, decision.request_id, now));
  TRY(CheckOpen(record));
  TRY(model::CheckApprover(record.request, decision));
  decision.decided = now;
  TRY(NoteDecision(database, decision));
  TRY_ASSIGN(record, FindApproval(database, decision.request_id, now));
  const auto end = EndAfter(record, decision);
  if (!end) return record;
  TRY(NoteEnd(database, *end, now));
  return FindApproval(database, decision.request_id, now);
}

Result<ApprovalRecord> EndApproval(Database& database, const model::ApprovalEnd& end,
                                   WallTime now) {
  if (end.state == ApprovalState::kPending || end.state == ApprovalState::kApproved) {
    return Fail(ErrorCode::kInvalidArgument, "state: only people approve");
  }
  TRY(NoteEnd(database, end, now));
  return FindApproval(database, end.request_id, now);
}

Result<void> UseApproval(Database& database, const model::ApprovalUse& use, WallTime now) {
  TRY_ASSIGN(Statement mark,
             database.Use("UPDATE approvals SET used_ms = ? WHERE request_id = ? AND"
                          " state = 'approved' AND used_ms = 0 AND owner = ? AND digest = ?"
                          " RETURNING request_id"));
  TRY_ASSIGN(
      const bool is_used,
      mark.Number(ToWallMs(now)).Text(use.request_id).Text(use.owner).Text(use.digest).Step());
  if (is_used) return {};
  return Fail(Error(ErrorCode::kApprovalDenied,
                    "there is no unused approval of exactly this by who asked for it",
                    {{"approval_id", use.request_id}}));
}

Result<ApprovalRecord> FindApproval(Database& database, const std::string& request_id,
                                    WallTime now) {
  TRY_ASSIGN(Statement find,
             database.Use("SELECT request, state, end_reason, ended_ms, used_ms FROM approvals"
                          " WHERE request_id = ?"));
  TRY_ASSIGN(const bool found, find.Text(request_id).Step());
  if (!found) {
    return Fail(Error(ErrorCode::kNotFound, "there is no approval " + request_id,
                      {{"approval_id", request_id}}));
  }
  TRY_ASSIGN(ApprovalRecord record, RecordIn(find, now));
  TRY(AddDecisions(database, record));
  return record;
}

Result<std::vector<ApprovalRecord>> ListApprovals(Database& database,
                                                  const model::ApprovalFilter& filter,
                                                  WallTime now) {
  TRY_ASSIGN(
      Statement list,
      database.Use("SELECT request, state, end_reason, ended_ms, used_ms FROM"
                   " (SELECT *, CASE WHEN state = 'pending' AND expires_ms <= ? THEN 'expired'"
                   " ELSE state END AS standing FROM approvals)"
                   " WHERE (? = '' OR tenant = ?) AND (? = '' OR standing = ?)"
                   " ORDER BY asked_ms DESC, request_id LIMIT ?"));
  const std::string state = filter.state ? StateName(*filter.state) : "";
  list.Number(ToWallMs(now))
      .Text(filter.tenant.value())
      .Text(filter.tenant.value())
      .Text(state)
      .Text(state)
      .Number(std::min(filter.limit, kMostApprovals));
  std::vector<ApprovalRecord> records;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) break;
    TRY_ASSIGN(ApprovalRecord record, RecordIn(list, now));
    records.push_back(std::move(record));
  }
  for (ApprovalRecord& record : records) TRY(AddDecisions(database, record));
  return records;
}

}  // namespace falconer::store
