#pragma once
// The index of actions in SQLite. Every function runs inside the caller's transaction.

#include <optional>

#include "store/action_index.h"
#include "store/sqlite/database.h"

namespace falconer::store {

// See StoreTransaction::PutActions. `most` is the bound of the index; open actions do not yield.
Result<void> PutActions(Database& database, const ActionBatch& batch, std::uint64_t most);
Result<std::optional<IndexedAction>> FindAction(Database& database, const ActionKey& key);
Result<std::uint64_t> IndexedSeq(Database& database, const std::string& chain);

}  // namespace falconer::store
