#include "store/sqlite/workflow_table.h"

#include <fmt/format.h>

namespace falconer::store {
namespace {

WorkflowDocument WorkflowIn(const Statement& row) {
  return {.name = row.TextAt(0),
          .version = row.NumberAt(1),
          .document = row.TextAt(2),
          .updated_ms = row.NumberAt(3)};
}

// 0 when there is none.
Result<std::int64_t> KeptVersion(Database& database, const TenantId& tenant,
                                 const std::string& name) {
  TRY_ASSIGN(Statement find,
             database.Use("SELECT version FROM workflows WHERE tenant = ? AND name = ?"));
  TRY_ASSIGN(const bool is_there, find.Text(tenant.value()).Text(name).Step());
  return is_there ? find.NumberAt(0) : 0;
}

// How many rows of a workflow a statement removed; it returns one row for each.
Result<std::size_t> RemoveRows(Result<Statement> remove, const TenantId& tenant,
                               const std::string& workflow) {
  if (!remove) return Fail(std::move(remove).error());
  remove->Text(tenant.value()).Text(workflow);
  for (std::size_t removed = 0;; ++removed) {
    TRY_ASSIGN(const bool has_row, remove->Step());
    if (!has_row) return removed;
  }
}

}  // namespace

Result<void> PutWorkflow(Database& database, const TenantId& tenant,
                         const WorkflowDocument& workflow) {
  TRY_ASSIGN(const std::int64_t kept, KeptVersion(database, tenant, workflow.name));
  if (workflow.version != kept + 1) {
    return Fail(ErrorCode::kAlreadyExists,
                fmt::format("the next version of workflow {} is {}, not {}", workflow.name,
                            kept + 1, workflow.version));
  }
  TRY_ASSIGN(Statement put,
             database.Use("INSERT INTO workflows(tenant, name, version, document, updated_ms)"
                          " VALUES(?, ?, ?, ?, ?) ON CONFLICT(tenant, name) DO UPDATE SET"
                          " version = excluded.version, document = excluded.document,"
                          " updated_ms = excluded.updated_ms"));
  return put.Text(tenant.value())
      .Text(workflow.name)
      .Number(workflow.version)
      .Text(workflow.document)
      .Number(workflow.updated_ms)
      .Run();
}

Result<std::optional<WorkflowDocument>> FindWorkflow(Database& database, const TenantId& tenant,
                                                     const std::string& name) {
  TRY_ASSIGN(Statement find,
             database.Use("SELECT name, version, document, updated_ms FROM workflows"
                          " WHERE tenant = ? AND name = ?"));
  TRY_ASSIGN(const bool is_there, find.Text(tenant.value()).Text(name).Step());
  if (!is_there) return std::optional<WorkflowDocument>();
  return WorkflowIn(find);
}

Result<std::vector<WorkflowDocument>> ListWorkflows(Database& database, const TenantId& tenant) {
  TRY_ASSIGN(Statement list,
             database.Use("SELECT name, version, document, updated_ms FROM workflows"
                          " WHERE tenant = ? ORDER BY name"));
  list.Text(tenant.value());
  std::vector<WorkflowDocument> all;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) return all;
    all.push_back(WorkflowIn(list));
  }
}

Result<void> DropWorkflow(Database& database, const TenantId& tenant, const std::string& name) {
  TRY_ASSIGN(const std::size_t workflows,
             RemoveRows(database.Use("DELETE FROM workflows WHERE tenant = ? AND name = ?"
                                     " RETURNING 1"),
                        tenant, name));
  TRY_ASSIGN(const std::size_t recordings,
             RemoveRows(database.Use("DELETE FROM workflow_recordings WHERE tenant = ?"
                                     " AND workflow = ? RETURNING 1"),
                        tenant, name));
  if (workflows + recordings > 0) return {};
  return Fail(ErrorCode::kNotFound, fmt::format("there is no workflow {}", name));
}

Result<void> PutRecording(Database& database, const TenantId& tenant,
                          const RecordingDocument& recording, std::size_t most) {
  TRY_ASSIGN(Statement put,
             database.Use("INSERT OR REPLACE INTO workflow_recordings(tenant, id, workflow,"
                          " document, recorded_ms) VALUES(?, ?, ?, ?, ?)"));
  TRY(put.Text(tenant.value())
          .Text(recording.id)
          .Text(recording.workflow)
          .Text(recording.document)
          .Number(recording.recorded_ms)
          .Run());
  TRY_ASSIGN(Statement trim, database.Use("DELETE FROM workflow_recordings WHERE place IN"
                                          " (SELECT place FROM workflow_recordings WHERE tenant = ?"
                                          " AND workflow = ? ORDER BY recorded_ms DESC, place DESC"
                                          " LIMIT -1 OFFSET ?)"));
  return trim.Text(tenant.value()).Text(recording.workflow).Number(std::uint64_t{most}).Run();
}

Result<std::vector<RecordingDocument>> ListRecordings(Database& database, const TenantId& tenant,
                                                      const std::string& workflow) {
  TRY_ASSIGN(Statement list,
             database.Use("SELECT id, workflow, document, recorded_ms FROM workflow_recordings"
                          " WHERE tenant = ? AND workflow = ? ORDER BY recorded_ms, place"));
  list.Text(tenant.value()).Text(workflow);
  std::vector<RecordingDocument> all;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) return all;
    all.push_back({.id = list.TextAt(0),
                   .workflow = list.TextAt(1),
                   .document = list.TextAt(2),
                   .recorded_ms = list.NumberAt(3)});
  }
}

Result<void> PutIntent(Database& database, const TenantId& tenant, const IntentDocument& intent,
                       std::size_t most) {
  TRY_ASSIGN(Statement put,
             database.Use("INSERT OR REPLACE INTO intents(tenant, key, version, document, used_ms)"
                          " VALUES(?, ?, ?, ?, ?)"));
  TRY(put.Text(tenant.value())
          .Text(intent.key)
          .Number(intent.version)
          .Text(intent.document)
          .Number(intent.used_ms)
          .Run());
  TRY_ASSIGN(Statement trim,
             database.Use("DELETE FROM intents WHERE place IN (SELECT place FROM intents"
                          " WHERE tenant = ? ORDER BY used_ms DESC, place DESC"
                          " LIMIT -1 OFFSET ?)"));
  return trim.Text(tenant.value()).Number(std::uint64_t{most}).Run();
}

Result<std::optional<IntentDocument>> FindIntent(Database& database, const TenantId& tenant,
                                                 const std::string& key) {
  TRY_ASSIGN(Statement find, database.Use("SELECT key, version, document, used_ms FROM intents"
                                          " WHERE tenant = ? AND key = ?"));
  TRY_ASSIGN(const bool is_there, find.Text(tenant.value()).Text(key).Step());
  if (!is_there) return std::optional<IntentDocument>();
  return IntentDocument{.key = find.TextAt(0),
                        .version = find.NumberAt(1),
                        .document = find.TextAt(2),
                        .used_ms = find.NumberAt(3)};
}

Result<void> DropIntent(Database& database, const TenantId& tenant, const std::string& key) {
  TRY_ASSIGN(Statement drop, database.Use("DELETE FROM intents WHERE tenant = ? AND key = ?"));
  return drop.Text(tenant.value()).Text(key).Run();
}

}  // namespace falconer::store
