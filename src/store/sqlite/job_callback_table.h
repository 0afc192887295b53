#pragma once
// The callbacks of jobs in SQLite. Every function runs inside the caller's transaction.

#include "store/job_store.h"
#include "store/sqlite/database.h"

namespace falconer::store {

Result<std::optional<JobRecord>> ClaimCallback(Database& database, const TenantId& tenant,
                                               std::chrono::milliseconds hold, WallTime now);
Result<JobRecord> NoteCallback(Database& database, const CallbackNote& note);

}  // namespace falconer::store
