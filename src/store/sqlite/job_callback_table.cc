#include "store/sqlite/job_callback_table.h"

#include <utility>

#include "store/sqlite/job_row.h"
#include "store/sqlite/job_table.h"
#include "store/sqlite/wall_ms.h"

namespace falconer::store {

Result<std::optional<JobRecord>> ClaimCallback(Database& database, const TenantId& tenant,
                                               std::chrono::milliseconds hold, WallTime now) {
  TRY_ASSIGN(Statement find,
             database.Use("SELECT id FROM jobs WHERE tenant = ? AND callback_state = 'waiting'"
                          " AND callback_ms <= ? ORDER BY callback_ms LIMIT 1"));
  TRY_ASSIGN(const bool found, find.Text(tenant.value()).Number(ToWallMs(now)).Step());
  if (!found) return std::optional<JobRecord>();
  const std::string id = find.TextAt(0);
  TRY_ASSIGN(Statement keep, database.Use("UPDATE jobs SET callback_ms = ? WHERE id = ?"));
  TRY(keep.Number(ToWallMs(now + hold)).Text(id).Run());
  TRY_ASSIGN(JobRecord job, FindJob(database, {.tenant = tenant, .id = id}));
  return job;
}

Result<JobRecord> NoteCallback(Database& database, const CallbackNote& note) {
  TRY_ASSIGN(JobRecord job, FindJob(database, {.tenant = TenantId(), .id = note.id}));
  job.callback.tries.push_back(note.tried);
  TRY_ASSIGN(Statement put, database.Use("UPDATE jobs SET callback = ?, callback_state = ?,"
                                         " callback_ms = ? WHERE id = ?"));
  TRY(put.Text(CallbackText(job.callback))
          .Text(NameIn(kCallbackStates, note.state))
          .Number(ToWallMs(note.next))
          .Text(note.id)
          .Run());
  return FindJob(database, {.tenant = TenantId(), .id = note.id});
}

}  // namespace falconer::store
