#include "store/sqlite/quota_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "store/sqlite/wall_ms.h"

namespace falconer::store {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kWindowMs = kActionWindow.count();
constexpr std::int64_t kHourMs = 3'600'000;

// The place of the workflow's session among those of its tenant: epochs rise with every grant.
Result<std::int64_t> OwnEpoch(Database& database, const LeaseKey& key) {
  TRY_ASSIGN(Statement find,
             database.Use("SELECT epoch FROM leases WHERE tenant = ? AND workflow = ?"));
  TRY_ASSIGN(const bool found, find.Text(key.tenant.value()).Text(key.workflow.value()).Step());
  return found ? find.NumberAt(0) : std::numeric_limits<std::int64_t>::max();
}

Result<void> CountSessionsBefore(Database& database, const QuotaRequest& request,
                                 std::int64_t now_ms, QuotaAnswer& answer) {
  TRY_ASSIGN(const std::int64_t own, OwnEpoch(database, request.key));
  TRY_ASSIGN(Statement count,
             database.Use("SELECT owner, count(*), min(expires_ms) FROM leases"
                          " WHERE tenant = ? AND expires_ms > ? AND epoch < ? GROUP BY owner"));
  count.Text(request.key.tenant.value()).Number(now_ms).Number(own);
  std::int64_t first_end = std::numeric_limits<std::int64_t>::max();
  for (;;) {
    TRY_ASSIGN(const bool has_row, count.Step());
    if (!has_row) break;
    std::string owner = count.TextAt(0);
    if (std::ranges::find(request.gone_owners, owner) != request.gone_owners.end()) continue;
    answer.owners.push_back(std::move(owner));
    answer.sessions += count.CountAt(1);
    first_end = std::min(first_end, count.NumberAt(2));
  }
  if (answer.sessions > 0) answer.session_wait = milliseconds(first_end - now_ms);
  return {};
}

// A clock that was set back must not make an action count for longer than it would have.
Result<void> PullBackActions(Database& database, const TenantId& tenant, std::int64_t now_ms) {
  TRY_ASSIGN(Statement pull,
             database.Use("UPDATE action_events SET at_ms = ? WHERE tenant = ? AND at_ms > ?"));
  return pull.Number(now_ms).Text(tenant.value()).Number(now_ms).Run();
}

Result<std::uint64_t> CountActions(Database& database, const TenantId& tenant,
                                   std::int64_t after_ms) {
  TRY_ASSIGN(Statement count,
             database.Use("SELECT count(*) FROM action_events WHERE tenant = ? AND at_ms > ?"));
  TRY(count.Text(tenant.value()).Number(after_ms).Step());
  return count.CountAt(0);
}

// When so many of the oldest actions of the window have left it that one more fits.
Result<milliseconds> WaitForRoom(Database& database, const QuotaAnswer& answer,
                                 const TenantId& tenant, std::int64_t now_ms) {
  const std::uint64_t too_many = answer.actions - answer.quota.max_actions_per_minute;
  TRY_ASSIGN(Statement find,
             database.Use("SELECT at_ms FROM action_events WHERE tenant = ? AND at_ms > ?"
                          " ORDER BY at_ms LIMIT 1 OFFSET ?"));
  TRY(find.Text(tenant.value()).Number(now_ms - kWindowMs).Number(too_many).Step());
  return milliseconds(find.NumberAt(0) + kWindowMs - now_ms);
}

// When the oldest action of the window leaves it.
Result<milliseconds> OldestLeaves(Database& database, const TenantId& tenant, std::int64_t now_ms) {
  TRY_ASSIGN(Statement find,
             database.Use("SELECT at_ms FROM action_events WHERE tenant = ? AND at_ms > ?"
                          " ORDER BY at_ms LIMIT 1"));
  TRY_ASSIGN(const bool found, find.Text(tenant.value()).Number(now_ms - kWindowMs).Step());
  return milliseconds(found ? find.NumberAt(0) + kWindowMs - now_ms : 0);
}

Result<ActionTicket> NoteAction(Database& database, const TenantId& tenant, std::int64_t now_ms) {
  TRY_ASSIGN(Statement note, database.Use("INSERT INTO action_events(tenant, at_ms) VALUES(?, ?)"
                                          " RETURNING id"));
  TRY(note.Text(tenant.value()).Number(now_ms).Step());
  const std::uint64_t id = note.CountAt(0);
  TRY(note.Run());
  return ActionTicket{tenant, id};
}

// More than one per action that comes, so that the table does not grow, and never many at once.
Result<void> ForgetOldActions(Database& database, std::int64_t now_ms) {
  TRY_ASSIGN(Statement forget,
             database.Use("DELETE FROM action_events WHERE id IN (SELECT id FROM action_events"
                          " WHERE at_ms < ? ORDER BY at_ms LIMIT 8)"));
  return forget.Number(now_ms - kHourMs).Run();
}

Result<void> CheckLimit(const std::string& name, const std::optional<std::uint64_t>& value) {
  const model::QuotaRow* row = model::QuotaRowNamed(name);
  if (row == nullptr)
    return Fail(ErrorCode::kInvalidArgument, "there is no limit \"" + name + "\"");
  if (value.value_or(0) <= row->most) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: {} is more than {}", name, *value, row->most));
}

Result<void> PutLimit(Database& database, const TenantId& tenant, const std::string& name,
                      const std::optional<std::uint64_t>& value) {
  TRY(CheckLimit(name, value));
  if (!value) {
    TRY_ASSIGN(Statement drop,
               database.Use("DELETE FROM tenant_quotas WHERE tenant = ? AND name = ?"));
    return drop.Text(tenant.value()).Text(name).Run();
  }
  TRY_ASSIGN(Statement put, database.Use("INSERT OR REPLACE INTO tenant_quotas VALUES(?, ?, ?)"));
  return put.Text(tenant.value()).Text(name).Number(*value).Run();
}

bool IsReached(std::uint64_t used, std::uint64_t most) {
  return most > 0 && used >= most;
}

}  // namespace

Result<QuotaAnswer> TakeAction(Database& database, const QuotaRequest& request, WallTime now) {
  const TenantId& tenant = request.key.tenant;
  const std::int64_t now_ms = ToWallMs(now);
  QuotaAnswer answer;
  TRY_ASSIGN(answer.quota, GetQuota(database, tenant, request.defaults));
  const model::TenantQuota& quota = answer.quota;
  if (quota.max_concurrent_sessions > 0)
    TRY(CountSessionsBefore(database, request, now_ms, answer));
  const bool is_crowded = IsReached(answer.sessions, quota.max_concurrent_sessions);
  if (quota.max_actions_per_minute == 0) return answer;
  TRY(PullBackActions(database, tenant, now_ms));
  TRY_ASSIGN(answer.actions, CountActions(database, tenant, now_ms - kWindowMs));
  if (IsReached(answer.actions, quota.max_actions_per_minute)) {
    TRY_ASSIGN(answer.action_wait, WaitForRoom(database, answer, tenant, now_ms));
    return answer;
  }
  if (is_crowded) return answer;
  TRY_ASSIGN(answer.ticket, NoteAction(database, tenant, now_ms));
  TRY(ForgetOldActions(database, now_ms));
  return answer;
}

Result<void> ReturnAction(Database& database, const ActionTicket& ticket) {
  TRY_ASSIGN(Statement drop, database.Use("DELETE FROM action_events WHERE id = ? AND tenant = ?"));
  return drop.Number(ticket.id).Text(ticket.tenant.value()).Run();
}

Result<model::TenantQuota> GetQuota(Database& database, const TenantId& tenant,
                                    model::TenantQuota defaults) {
  TRY_ASSIGN(Statement find,
             database.Use("SELECT name, value FROM tenant_quotas WHERE tenant = ?"));
  find.Text(tenant.value());
  for (;;) {
    TRY_ASSIGN(const bool has_row, find.Step());
    if (!has_row) return defaults;
    const model::QuotaRow* row = model::QuotaRowNamed(find.TextAt(0));
    if (row == nullptr) {
      return Fail(ErrorCode::kStoreDamaged,
                  "tenant_quotas has a limit that is none: " + find.TextAt(0));
    }
    defaults.*row->member = find.CountAt(1);
  }
}

Result<void> SetQuota(Database& database, const QuotaChange& change) {
  if (change.tenant.empty()) return Fail(ErrorCode::kInvalidArgument, "tenant: must not be empty");
  for (const auto& [name, value] : change.values) {
    TRY(PutLimit(database, change.tenant, name, value));
  }
  return {};
}

Result<QuotaUse> GetUse(Database& database, const TenantId& tenant, WallTime now) {
  const std::int64_t now_ms = ToWallMs(now);
  QuotaUse use;
  TRY_ASSIGN(use.actions_last_minute, CountActions(database, tenant, now_ms - kWindowMs));
  TRY_ASSIGN(use.actions_last_hour, CountActions(database, tenant, now_ms - kHourMs));
  TRY_ASSIGN(Statement count,
             database.Use("SELECT count(*) FROM leases WHERE tenant = ? AND expires_ms > ?"));
  TRY(count.Text(tenant.value()).Number(now_ms).Step());
  use.sessions = count.CountAt(0);
  TRY_ASSIGN(use.oldest_leaves, OldestLeaves(database, tenant, now_ms));
  return use;
}

Result<std::vector<TenantId>> ListQuotas(Database& database) {
  TRY_ASSIGN(Statement list,
             database.Use("SELECT DISTINCT tenant FROM tenant_quotas ORDER BY tenant"));
  std::vector<TenantId> tenants;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) return tenants;
    tenants.emplace_back(list.TextAt(0));
  }
}

Result<std::uint64_t> CountSessions(Database& database, WallTime now) {
  TRY_ASSIGN(Statement count, database.Use("SELECT count(*) FROM leases WHERE expires_ms > ?"));
  TRY(count.Number(ToWallMs(now)).Step());
  return count.CountAt(0);
}

}  // namespace falconer::store
