#pragma once
// What came after what, in SQLite. Every function runs inside the caller's transaction.

#include <span>

#include "base/async/clock.h"
#include "store/prediction_store.h"
#include "store/sqlite/database.h"

namespace falconer::store {

// Those that were only predicted are left out.
Result<void> PutTransitions(Database& database, const LearntBatch& batch, WallTime now);
Result<std::vector<TopTransition>> TopTransitions(Database& database, const TenantId& tenant,
                                                  std::size_t most);
// Forgets all from and to these actions.
Result<void> ForgetTransitionsOf(Database& database, const TenantId& tenant,
                                 std::span<const std::uint64_t> symbols);
// Of each order; those that were not counted for the longest time go, of equals the rarest.
Result<void> BoundTransitions(Database& database, const TenantId& tenant, std::size_t most);
Result<void> ForgetTransitions(Database& database, const TenantId& tenant);

}  // namespace falconer::store
