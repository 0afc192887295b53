#include "store/sqlite/breaker_table.h"

#include <algorithm>

#include "store/sqlite/wall_ms.h"

namespace falconer::store {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kForgetFailureMs = 3'600'000;
constexpr std::int64_t kForgetCircuitMs = 86'400'000;
// A probe is one action: asking again sooner than it may end makes sense.
constexpr std::int64_t kProbeRetryMs = 5'000;
constexpr std::int64_t kMostListedCircuits = 1000;

// A circuit that is not closed.
struct OpenCircuit {
  std::int64_t until_ms = 0;
  std::uint64_t probe = 0;  // 0: none under way
  std::string holder;
  std::int64_t probe_until_ms = 0;
};

Result<std::optional<OpenCircuit>> FindOpen(Database& database, const CircuitKey& key) {
  TRY_ASSIGN(Statement find,
             database.Use("SELECT until_ms, probe, holder, probe_until_ms FROM circuits"
                          " WHERE tenant = ? AND domain = ?"));
  TRY_ASSIGN(const bool found, find.Text(key.tenant.value()).Text(key.domain).Step());
  if (!found) return std::optional<OpenCircuit>();
  return OpenCircuit{find.NumberAt(0), find.CountAt(1), find.TextAt(2), find.NumberAt(3)};
}

// Left of a time that was at most `whole` when it was set: a clock that was set back since must not
// make it longer.
std::int64_t LeftMs(std::int64_t until_ms, milliseconds whole, std::int64_t now_ms) {
  const std::int64_t left = until_ms - now_ms;
  return left > whole.count() ? 0 : std::max<std::int64_t>(left, 0);
}

Result<std::uint64_t> CountFailures(Database& database, const CircuitKey& key,
                                    std::int64_t after_ms) {
  TRY_ASSIGN(Statement count, database.Use("SELECT count(*) FROM circuit_failures"
                                           " WHERE tenant = ? AND domain = ? AND at_ms > ?"));
  TRY(count.Text(key.tenant.value()).Text(key.domain).Number(after_ms).Step());
  return count.CountAt(0);
}

Result<void> ClearFailures(Database& database, const CircuitKey& key) {
  TRY_ASSIGN(Statement clear,
             database.Use("DELETE FROM circuit_failures WHERE tenant = ? AND domain = ?"));
  return clear.Text(key.tenant.value()).Text(key.domain).Run();
}

Result<void> AddFailure(Database& database, const CircuitKey& key, std::int64_t now_ms) {
  TRY_ASSIGN(Statement add, database.Use("INSERT INTO circuit_failures(tenant, domain, at_ms)"
                                         " VALUES(?, ?, ?)"));
  return add.Text(key.tenant.value()).Text(key.domain).Number(now_ms).Run();
}

// A few per failure: the tables stay as small as what is in use.
Result<void> ForgetOldFailures(Database& database, std::int64_t now_ms) {
  TRY_ASSIGN(Statement failures,
             database.Use("DELETE FROM circuit_failures WHERE id IN (SELECT id FROM"
                          " circuit_failures WHERE at_ms < ? ORDER BY at_ms LIMIT 8)"));
  TRY(failures.Number(now_ms - kForgetFailureMs).Run());
  TRY_ASSIGN(Statement circuits,
             database.Use("DELETE FROM circuits WHERE (tenant, domain) IN (SELECT tenant, domain"
                          " FROM circuits WHERE until_ms < ? AND probe_until_ms < ?"
                          " ORDER BY until_ms LIMIT 8)"));
  return circuits.Number(now_ms - kForgetCircuitMs).Number(now_ms - kForgetCircuitMs).Run();
}

Result<void> PutOpen(Database& database, const CircuitNote& note, std::uint64_t failures,
                     std::int64_t now_ms) {
  TRY_ASSIGN(Statement open,
             database.Use("INSERT OR REPLACE INTO circuits VALUES(?, ?, ?, ?, ?, 0, '', 0)"));
  return open.Text(note.key.tenant.value())
      .Text(note.key.domain)
      .Number(now_ms)
      .Number(now_ms + note.limits.open_for.count())
      .Number(failures)
      .Run();
}

Result<void> DropCircuit(Database& database, const CircuitKey& key) {
  TRY_ASSIGN(Statement close, database.Use("DELETE FROM circuits WHERE tenant = ? AND domain = ?"));
  TRY(close.Text(key.tenant.value()).Text(key.domain).Run());
  return ClearFailures(database, key);
}

Result<CircuitState> NoteWhileClosed(Database& database, const CircuitNote& note,
                                     std::int64_t now_ms) {
  if (note.outcome == SiteOutcome::kUp) {
    TRY(ClearFailures(database, note.key));
    return CircuitState::kClosed;
  }
  TRY(AddFailure(database, note.key, now_ms));
  TRY(ForgetOldFailures(database, now_ms));
  TRY_ASSIGN(const std::uint64_t failures,
             CountFailures(database, note.key, now_ms - note.limits.window.count()));
  if (note.limits.threshold == 0 || failures < note.limits.threshold) return CircuitState::kClosed;
  TRY(PutOpen(database, note, failures, now_ms));
  TRY(ClearFailures(database, note.key));
  return CircuitState::kOpen;
}

Result<std::uint64_t> NextProbe(Database& database) {
  TRY_ASSIGN(Statement next, database.Use("UPDATE counters SET value = value + 1"
                                          " WHERE name = 'circuit_probe' RETURNING value"));
  TRY_ASSIGN(const bool found, next.Step());
  if (!found) return Fail(ErrorCode::kStoreDamaged, "the counter of probes is missing");
  const std::uint64_t probe = next.CountAt(0);
  TRY(next.Run());
  return probe;
}

Result<ProbeTicket> TakeProbe(Database& database, const CircuitRequest& request,
                              std::int64_t now_ms) {
  TRY_ASSIGN(const std::uint64_t probe, NextProbe(database));
  TRY_ASSIGN(Statement take,
             database.Use("UPDATE circuits SET probe = ?, holder = ?, probe_until_ms = ?"
                          " WHERE tenant = ? AND domain = ?"));
  TRY(take.Number(probe)
          .Text(request.holder)
          .Number(now_ms + request.limits.probe_for.count())
          .Text(request.key.tenant.value())
          .Text(request.key.domain)
          .Run());
  return ProbeTicket{request.key, probe};
}

ListedCircuit OpenRow(const Statement& row, std::int64_t now_ms) {
  const std::int64_t left = std::max<std::int64_t>(row.NumberAt(3) - now_ms, 0);
  return {.key = {TenantId(row.TextAt(0)), row.TextAt(1)},
          .state = left > 0 ? CircuitState::kOpen : CircuitState::kHalfOpen,
          .failures = row.CountAt(4),
          .since = FromWallMs(row.NumberAt(2)),
          .retry_after = milliseconds(left)};
}

ListedCircuit FailingRow(const Statement& row, std::int64_t /*now_ms*/) {
  return {.key = {TenantId(row.TextAt(0)), row.TextAt(1)},
          .failures = row.CountAt(2),
          .since = FromWallMs(row.NumberAt(3))};
}

Result<void> ReadCircuits(Statement& list, ListedCircuit (*read)(const Statement&, std::int64_t),
                          std::int64_t now_ms, std::vector<ListedCircuit>& out) {
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) return {};
    out.push_back(read(list, now_ms));
  }
}

}  // namespace

Result<std::optional<CircuitAnswer>> LookAtCircuit(Database& database,
                                                   const CircuitRequest& request, WallTime now) {
  const std::int64_t now_ms = ToWallMs(now);
  TRY_ASSIGN(const std::optional<OpenCircuit> open, FindOpen(database, request.key));
  CircuitAnswer answer;
  if (!open) {
    TRY_ASSIGN(answer.failures,
               CountFailures(database, request.key, now_ms - request.limits.window.count()));
    return answer;
  }
  if (open->probe != 0) {
    const std::int64_t left = LeftMs(open->probe_until_ms, request.limits.probe_for, now_ms);
    if (left == 0 || open->holder == request.gone_holder) return std::optional<CircuitAnswer>();
    answer.state = CircuitState::kHalfOpen;
    answer.holder = open->holder;
    answer.retry_after = milliseconds(std::min(left, kProbeRetryMs));
    return answer;
  }
  const std::int64_t left = LeftMs(open->until_ms, request.limits.open_for, now_ms);
  if (left == 0) return std::optional<CircuitAnswer>();
  answer.state = CircuitState::kOpen;
  answer.retry_after = milliseconds(left);
  return answer;
}

Result<CircuitAnswer> EnterCircuit(Database& database, const CircuitRequest& request,
                                   WallTime now) {
  TRY_ASSIGN(std::optional<CircuitAnswer> answer, LookAtCircuit(database, request, now));
  if (answer) return *std::move(answer);
  CircuitAnswer taken{.state = CircuitState::kHalfOpen};
  TRY_ASSIGN(taken.probe, TakeProbe(database, request, ToWallMs(now)));
  return taken;
}

Result<CircuitState> NoteOutcome(Database& database, const CircuitNote& note, WallTime now) {
  const std::int64_t now_ms = ToWallMs(now);
  TRY_ASSIGN(const std::optional<OpenCircuit> open, FindOpen(database, note.key));
  if (!open) return NoteWhileClosed(database, note, now_ms);
  // What began before the circuit opened, and a probe that was given up, comes too late to count.
  if (note.probe == 0 || note.probe != open->probe)
    return open->probe == 0 ? CircuitState::kOpen : CircuitState::kHalfOpen;
  if (note.outcome == SiteOutcome::kUp) {
    TRY(DropCircuit(database, note.key));
    return CircuitState::kClosed;
  }
  TRY(PutOpen(database, note, 1, now_ms));
  return CircuitState::kOpen;
}

Result<void> ReturnProbe(Database& database, const ProbeTicket& ticket) {
  TRY_ASSIGN(Statement give,
             database.Use("UPDATE circuits SET probe = 0, holder = '', probe_until_ms = 0"
                          " WHERE tenant = ? AND domain = ? AND probe = ?"));
  return give.Text(ticket.key.tenant.value()).Text(ticket.key.domain).Number(ticket.id).Run();
}

Result<std::vector<ListedCircuit>> ListCircuits(Database& database, const CircuitQuery& query,
                                                WallTime now) {
  const std::int64_t now_ms = ToWallMs(now);
  const std::string& tenant = query.tenant.value();
  std::vector<ListedCircuit> out;
  TRY_ASSIGN(Statement open,
             database.Use("SELECT tenant, domain, opened_ms, until_ms, failures FROM circuits"
                          " WHERE (? = '' OR tenant = ?) ORDER BY tenant, domain LIMIT ?"));
  open.Text(tenant).Text(tenant).Number(kMostListedCircuits);
  TRY(ReadCircuits(open, &OpenRow, now_ms, out));
  TRY_ASSIGN(Statement failing,
             database.Use("SELECT tenant, domain, count(*), max(at_ms) FROM circuit_failures"
                          " WHERE (? = '' OR tenant = ?) AND at_ms > ?"
                          " GROUP BY tenant, domain ORDER BY tenant, domain LIMIT ?"));
  failing.Text(tenant)
      .Text(tenant)
      .Number(now_ms - query.window.count())
      .Number(kMostListedCircuits);
  TRY(ReadCircuits(failing, &FailingRow, now_ms, out));
  return out;
}

Result<std::uint64_t> ResetCircuits(Database& database, const CircuitKey& key) {
  const std::string& tenant = key.tenant.value();
  TRY_ASSIGN(Statement count,
             database.Use("SELECT count(*) FROM circuits"
                          " WHERE (? = '' OR tenant = ?) AND (? = '' OR domain = ?)"));
  TRY(count.Text(tenant).Text(tenant).Text(key.domain).Text(key.domain).Step());
  const std::uint64_t circuits = count.CountAt(0);
  TRY_ASSIGN(Statement close,
             database.Use("DELETE FROM circuits"
                          " WHERE (? = '' OR tenant = ?) AND (? = '' OR domain = ?)"));
  TRY(close.Text(tenant).Text(tenant).Text(key.domain).Text(key.domain).Run());
  TRY_ASSIGN(Statement clear,
             database.Use("DELETE FROM circuit_failures"
                          " WHERE (? = '' OR tenant = ?) AND (? = '' OR domain = ?)"));
  TRY(clear.Text(tenant).Text(tenant).Text(key.domain).Text(key.domain).Run());
  return circuits;
}

Result<CircuitCounts> CountCircuits(Database& database, WallTime now) {
  TRY_ASSIGN(Statement count, database.Use("SELECT count(*) FILTER (WHERE until_ms > ?),"
                                           " count(*) FILTER (WHERE until_ms <= ?) FROM circuits"));
  TRY(count.Number(ToWallMs(now)).Number(ToWallMs(now)).Step());
  return CircuitCounts{count.CountAt(0), count.CountAt(1)};
}

}  // namespace falconer::store
