#pragma once
// What predictors count, in SQLite. A node's rows lie on shelves, by the first bits of their
// context, and on each shelf in runs. What is written becomes a run; runs of about one length
// become one when there are several of them, so that there are few, and each row is rewritten a few
// times at most: writing is fast, and never stops the store for long. Every
// function runs inside the caller's transaction.

#include "store/prediction_store.h"
#include "store/sqlite/database.h"

namespace falconer::store {

Result<LearntContexts> LoadContexts(Database& database, const TenantId& tenant,
                                    const std::string& node);
Result<void> PutNode(Database& database, const TenantId& tenant, const std::string& node,
                     const std::vector<ContextRow>& rows);

// Fails with kInvalidArgument for what is no node or no count.
Result<void> PutContexts(Database& database, const TenantId& tenant, const std::string& node,
                         std::vector<ContextRow> rows);
// Forgets the rows of all nodes that were not counted for the longest time; of equals those that
// count least.
Result<void> BoundContexts(Database& database, const TenantId& tenant, std::size_t most);
Result<void> ForgetContexts(Database& database, const TenantId& tenant);

}  // namespace falconer::store
