#pragma once
// Heads of ledger chains in SQLite. Every function runs inside the caller's transaction.

#include <optional>
#include <string>
#include <vector>

#include "store/chain_head.h"
#include "store/sqlite/database.h"

namespace falconer::store {

// Keeps the newest: another process that writes the chain may have been faster.
Result<void> PutHead(Database& database, const ChainHead& head);
Result<std::optional<ChainHead>> GetHead(Database& database, const std::string& chain);
// The names of all chains that have one.
Result<std::vector<std::string>> ListHeads(Database& database);

}  // namespace falconer::store
