#pragma once
// What was done, what came after what, and what predictors count of it, in SQLite. Every function
// runs inside the caller's transaction.

#include "base/async/clock.h"
#include "store/prediction_store.h"
#include "store/sqlite/database.h"

namespace falconer::store {

Result<void> PutLearnt(Database& database, const LearntBatch& batch, WallTime now);
Result<std::vector<KnownAction>> LoadActions(Database& database, const TenantId& tenant);
Result<std::vector<TopTransition>> TopTransitions(Database& database, const TenantId& tenant,
                                                  std::size_t most);
Result<void> BoundLearnt(Database& database, const TenantId& tenant, const LearntBound& bound);
Result<void> ForgetLearnt(Database& database, const TenantId& tenant);

}  // namespace falconer::store
