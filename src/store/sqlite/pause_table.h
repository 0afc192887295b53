#pragma once
// Pauses in SQLite. Every function runs inside the caller's transaction.

#include "store/pause_store.h"
#include "store/sqlite/database.h"

namespace falconer::store {

Result<Pause> OrderPause(Database& database, const PauseOrder& order, WallTime now);
Result<std::optional<Pause>> EndPause(Database& database, const TenantId& tenant);
Result<std::optional<Pause>> FindPause(Database& database, const TenantId& tenant);
Result<std::vector<Pause>> ListPauses(Database& database);

}  // namespace falconer::store
