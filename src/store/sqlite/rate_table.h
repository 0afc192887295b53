#pragma once
// What counts against the limits of rules, in SQLite. Every function runs inside the caller's
// transaction.

#include "base/async/clock.h"
#include "store/rate_store.h"
#include "store/sqlite/database.h"

namespace falconer::store {

Result<RateAnswer> TakeRates(Database& database, const std::vector<RateLimit>& limits,
                             WallTime now);
Result<void> ReturnRates(Database& database, const RateTicket& ticket);

}  // namespace falconer::store
