#include "store/sqlite/schema.h"

#include <fmt/format.h>
#include <iterator>

#include "store/sqlite/wall_ms.h"

namespace falconer::store {
namespace {

// "FALC": says whose database this is, also to file(1).
constexpr std::int64_t kApplicationId = 0x46414C43;

// Released leases leave no row, yet no epoch comes twice: the counter is the only source.
// Triggers keep the number of actions, which a count over a million rows would be too slow for.
constexpr const char* kFirstTables =
    "CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;"
    "INSERT INTO counters VALUES('lease_epoch', 0), ('actions', 0), ('action_order', 0);"
    "CREATE TABLE leases(tenant TEXT NOT NULL, workflow TEXT NOT NULL, owner TEXT NOT NULL,"
    " epoch INTEGER NOT NULL, expires_ms INTEGER NOT NULL,"
    " PRIMARY KEY(tenant, workflow)) WITHOUT ROWID;"
    "CREATE INDEX leases_by_end ON leases(expires_ms);"
    "CREATE TABLE actions(tenant TEXT NOT NULL, scope TEXT NOT NULL, action_id BLOB NOT NULL,"
    " state INTEGER NOT NULL, seq INTEGER NOT NULL, turn TEXT NOT NULL, place INTEGER NOT NULL,"
    " PRIMARY KEY(tenant, scope, action_id)) WITHOUT ROWID;"
    "CREATE INDEX actions_by_age ON actions(state, place);"
    "CREATE TRIGGER action_added AFTER INSERT ON actions BEGIN"
    " UPDATE counters SET value = value + 1 WHERE name = 'actions'; END;"
    "CREATE TRIGGER action_removed AFTER DELETE ON actions BEGIN"
    " UPDATE counters SET value = value - 1 WHERE name = 'actions'; END;"
    "CREATE TABLE heads(chain TEXT PRIMARY KEY, seq INTEGER NOT NULL, record_hash BLOB NOT NULL,"
    " tree_root BLOB NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE indexed(chain TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;";

// Tokens that were issued, used up and revoked. A cutoff revokes what was issued until then; an
// empty agent or tenant means every.
constexpr const char* kTokenTables =
    "CREATE TABLE tokens_issued(token_id TEXT PRIMARY KEY, tenant TEXT NOT NULL,"
    " agent TEXT NOT NULL, plan TEXT NOT NULL, key_name TEXT NOT NULL,"
    " capabilities INTEGER NOT NULL, issued_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL,"
    " noted_ms INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX tokens_issued_by_end ON tokens_issued(expires_ms);"
    "CREATE INDEX tokens_issued_by_age ON tokens_issued(noted_ms);"
    "CREATE TABLE tokens_revoked(token_id TEXT PRIMARY KEY, reason TEXT NOT NULL,"
    " revoked_ms INTEGER NOT NULL, keep_ms INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX tokens_revoked_by_end ON tokens_revoked(keep_ms);"
    "CREATE TABLE token_cutoffs(tenant TEXT NOT NULL, agent TEXT NOT NULL, reason TEXT NOT NULL,"
    " cutoff_ms INTEGER NOT NULL, PRIMARY KEY(tenant, agent)) WITHOUT ROWID;"
    "CREATE TABLE token_uses(token_id TEXT NOT NULL, slot TEXT NOT NULL, use TEXT NOT NULL,"
    " expires_ms INTEGER NOT NULL, PRIMARY KEY(token_id, slot)) WITHOUT ROWID;"
    "CREATE INDEX token_uses_by_end ON token_uses(expires_ms);";

// Questions to people and their answers. The request is kept whole, as JSON; the columns are what
// is asked for. A time of 0 is none.
constexpr const char* kApprovalTables =
    "CREATE TABLE approvals(request_id TEXT PRIMARY KEY, tenant TEXT NOT NULL,"
    " state TEXT NOT NULL, owner TEXT NOT NULL, digest TEXT NOT NULL, asked_ms INTEGER NOT NULL,"
    " expires_ms INTEGER NOT NULL, ended_ms INTEGER NOT NULL, used_ms INTEGER NOT NULL,"
    " end_reason TEXT NOT NULL, request TEXT NOT NULL);"
    "CREATE INDEX approvals_by_age ON approvals(asked_ms);"
    "CREATE INDEX approvals_by_end ON approvals(expires_ms);"
    "CREATE TABLE approval_decisions(request_id TEXT NOT NULL, approver_key TEXT NOT NULL,"
    " approver TEXT NOT NULL, approves INTEGER NOT NULL, rank TEXT NOT NULL,"
    " channel TEXT NOT NULL, reason TEXT NOT NULL, decided_ms INTEGER NOT NULL,"
    " place INTEGER NOT NULL, PRIMARY KEY(request_id, approver_key)) WITHOUT ROWID;";

// Limits of tenants that are not those of the settings, and what counts against them.
constexpr const char* kQuotaTables =
    "CREATE TABLE tenant_quotas(tenant TEXT NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL,"
    " PRIMARY KEY(tenant, name)) WITHOUT ROWID;"
    // No number comes twice: what is given back is never somebody else's.
    "CREATE TABLE action_events(id INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL,"
    " at_ms INTEGER NOT NULL);"
    "CREATE INDEX action_events_by_tenant ON action_events(tenant, at_ms);"
    "CREATE INDEX action_events_by_age ON action_events(at_ms);";

// A circuit that is closed has no row, only the failures that are counted.
constexpr const char* kBreakerTables =
    "CREATE TABLE circuits(tenant TEXT NOT NULL, domain TEXT NOT NULL, opened_ms INTEGER NOT NULL,"
    " until_ms INTEGER NOT NULL, failures INTEGER NOT NULL, probe INTEGER NOT NULL,"
    " holder TEXT NOT NULL, probe_until_ms INTEGER NOT NULL,"
    " PRIMARY KEY(tenant, domain)) WITHOUT ROWID;"
    "CREATE TABLE circuit_failures(id INTEGER PRIMARY KEY, tenant TEXT NOT NULL,"
    " domain TEXT NOT NULL, at_ms INTEGER NOT NULL);"
    "CREATE INDEX circuit_failures_by_domain ON circuit_failures(tenant, domain, at_ms);"
    "CREATE INDEX circuit_failures_by_age ON circuit_failures(at_ms);"
    "INSERT INTO counters VALUES('circuit_probe', 0);";

// The pause of everybody has no tenant.
constexpr const char* kPauseTables =
    "CREATE TABLE pauses(tenant TEXT PRIMARY KEY, reason TEXT NOT NULL, ordered_by TEXT NOT NULL,"
    " since_ms INTEGER NOT NULL) WITHOUT ROWID;";

// What counts against limits of rules, until its period has passed. As above, no number comes
// twice.
constexpr const char* kRateTables =
    "CREATE TABLE rate_events(id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL,"
    " at_ms INTEGER NOT NULL, until_ms INTEGER NOT NULL);"
    "CREATE INDEX rate_events_by_key ON rate_events(key, at_ms);"
    "CREATE INDEX rate_events_by_end ON rate_events(until_ms);";

// Jobs that wait, run and are over, and what they told on their way. A time of 0 is none; what is
// only shown is JSON.
constexpr const char* kJobTables =
    "CREATE TABLE jobs(id TEXT PRIMARY KEY, tenant TEXT NOT NULL, type TEXT NOT NULL,"
    " state TEXT NOT NULL, workflow TEXT NOT NULL, idempotency_key TEXT NOT NULL,"
    " attempts INTEGER NOT NULL, owner TEXT NOT NULL, epoch INTEGER NOT NULL,"
    " lease_ms INTEGER NOT NULL, created_ms INTEGER NOT NULL, started_ms INTEGER NOT NULL,"
    " ended_ms INTEGER NOT NULL, cancel_reason TEXT NOT NULL, bytes INTEGER NOT NULL,"
    " callback_state TEXT NOT NULL, callback_ms INTEGER NOT NULL, input TEXT NOT NULL,"
    " result TEXT NOT NULL, outcome TEXT NOT NULL, callback TEXT NOT NULL);"
    "CREATE INDEX jobs_by_state ON jobs(tenant, state, id);"
    "CREATE INDEX jobs_by_callback ON jobs(callback_state, callback_ms);"
    "CREATE UNIQUE INDEX jobs_by_key ON jobs(tenant, idempotency_key)"
    " WHERE idempotency_key != '';"
    "CREATE TABLE job_news(job TEXT NOT NULL, seq INTEGER NOT NULL, news TEXT NOT NULL,"
    " PRIMARY KEY(job, seq)) WITHOUT ROWID;";

// What was learnt of what is done. Counts of the predictor come by the million and are rewritten
// with every action: they lie in runs, blobs of sorted rows, the newest of which is right.
constexpr const char* kPredictionTables =
    "CREATE TABLE known_actions(tenant TEXT NOT NULL, symbol INTEGER NOT NULL,"
    " signature TEXT NOT NULL, action TEXT NOT NULL, page TEXT NOT NULL,"
    " by_person INTEGER NOT NULL, by_agent INTEGER NOT NULL, by_prediction INTEGER NOT NULL,"
    " failed INTEGER NOT NULL, last_ms INTEGER NOT NULL,"
    " PRIMARY KEY(tenant, symbol)) WITHOUT ROWID;"
    "CREATE TABLE transitions_first_order(tenant TEXT NOT NULL, from_symbol INTEGER NOT NULL,"
    " to_symbol INTEGER NOT NULL, count INTEGER NOT NULL, day INTEGER NOT NULL,"
    " PRIMARY KEY(tenant, from_symbol, to_symbol)) WITHOUT ROWID;"
    "CREATE TABLE transitions_second_order(tenant TEXT NOT NULL, before_symbol INTEGER NOT NULL,"
    " from_symbol INTEGER NOT NULL, to_symbol INTEGER NOT NULL, count INTEGER NOT NULL,"
    " day INTEGER NOT NULL,"
    " PRIMARY KEY(tenant, before_symbol, from_symbol, to_symbol)) WITHOUT ROWID;"
    "CREATE TABLE learners(id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, node TEXT NOT NULL,"
    " UNIQUE(tenant, node));"
    "CREATE TABLE context_runs(learner INTEGER NOT NULL, shelf INTEGER NOT NULL,"
    " run INTEGER NOT NULL, count INTEGER NOT NULL, rows BLOB NOT NULL,"
    " PRIMARY KEY(learner, shelf, run));";
// Learned workflows, what they were learned from, and verified answers to instructions. The place
// tells which of two of the same time came later.
constexpr const char* kWorkflowTables =
    "CREATE TABLE workflows(place INTEGER PRIMARY KEY, tenant TEXT NOT NULL, name TEXT NOT NULL,"
    " version INTEGER NOT NULL, document TEXT NOT NULL, updated_ms INTEGER NOT NULL,"
    " UNIQUE(tenant, name));"
    "CREATE TABLE workflow_recordings(place INTEGER PRIMARY KEY, tenant TEXT NOT NULL,"
    " id TEXT NOT NULL, workflow TEXT NOT NULL, document TEXT NOT NULL,"
    " recorded_ms INTEGER NOT NULL, UNIQUE(tenant, id));"
    "CREATE INDEX workflow_recordings_by_age ON workflow_recordings(tenant, workflow,"
    " recorded_ms);"
    "CREATE TABLE intents(place INTEGER PRIMARY KEY, tenant TEXT NOT NULL, key TEXT NOT NULL,"
    " version INTEGER NOT NULL, document TEXT NOT NULL, used_ms INTEGER NOT NULL,"
    " UNIQUE(tenant, key));"
    "CREATE INDEX intents_by_age ON intents(tenant, used_ms);";

// The migration to version n + 1 is row n.
constexpr const char* kMigrations[] = {
    kFirstTables, kTokenTables, kApprovalTables, kQuotaTables,      kBreakerTables,
    kPauseTables, kRateTables,  kJobTables,      kPredictionTables, kWorkflowTables};

Result<std::int64_t> ReadPragma(Database& database, std::string_view sql) {
  TRY_ASSIGN(Statement read, database.Use(sql));
  TRY(read.Step());
  return read.NumberAt(0);
}

Result<void> CheckOwner(Database& database) {
  TRY_ASSIGN(const std::int64_t owner, ReadPragma(database, "PRAGMA application_id"));
  TRY_ASSIGN(const std::int64_t tables, ReadPragma(database, "SELECT count(*) FROM sqlite_master"));
  if (owner == kApplicationId || (owner == 0 && tables == 0)) return {};
  return Fail(ErrorCode::kStoreDamaged,
              database.path().string() + " is a database of another program");
}

Result<void> NoteVersion(Database& database, std::size_t version, WallTime now) {
  TRY_ASSIGN(Statement note, database.Use("INSERT INTO migrations VALUES(?, ?)"));
  TRY(note.Number(static_cast<std::int64_t>(version)).Number(ToWallMs(now)).Run());
  return database.Execute(fmt::format("PRAGMA user_version={}", version).c_str());
}

Result<void> ApplyMissing(Database& database, WallTime now) {
  TRY(CheckOwner(database));
  TRY_ASSIGN(const std::int64_t found, ReadPragma(database, "PRAGMA user_version"));
  if (found > NewestSchema()) {
    return Fail(ErrorCode::kUnsupported,
                fmt::format("{} has schema {}, this program knows {}: use a newer Falconer",
                            database.path().string(), found, NewestSchema()));
  }
  TRY(
      database.Execute("CREATE TABLE IF NOT EXISTS migrations(version INTEGER PRIMARY KEY,"
                       " applied_ms INTEGER NOT NULL)"));
  TRY(database.Execute(fmt::format("PRAGMA application_id={}", kApplicationId).c_str()));
  for (auto at = static_cast<std::size_t>(found); at < std::size(kMigrations); ++at) {
    TRY(database.Execute(kMigrations[at]));
    TRY(NoteVersion(database, at + 1, now));
  }
  return {};
}

}  // namespace

int NewestSchema() {
  return static_cast<int>(std::size(kMigrations));
}

// In one transaction that excludes other writers: two processes may start at the same moment.
Result<void> Migrate(Database& database, WallTime now) {
  TRY(database.Execute("BEGIN IMMEDIATE"));
  Result<void> done = ApplyMissing(database, now);
  if (done) done = database.Execute("COMMIT");
  if (!done) database.RollBack();
  return done;
}

}  // namespace falconer::store
