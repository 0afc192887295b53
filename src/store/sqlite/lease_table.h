#pragma once
// Leases in SQLite. Every function runs inside the caller's transaction.

#include "store/lease.h"
#include "store/sqlite/database.h"

namespace falconer::store {

Result<Lease> AcquireLease(Database& database, const LeaseRequest& request, WallTime now);
Result<Lease> RenewLease(Database& database, const Lease& lease, std::chrono::milliseconds ttl,
                         WallTime now);
Result<void> ReleaseLease(Database& database, const Lease& lease);

}  // namespace falconer::store
