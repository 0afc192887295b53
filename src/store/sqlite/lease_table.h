#pragma once
// Leases in SQLite. Every function runs inside the caller's transaction.

#include <optional>
#include <vector>

#include "store/lease.h"
#include "store/sqlite/database.h"

namespace falconer::store {

Result<Lease> AcquireLease(Database& database, const LeaseRequest& request, WallTime now);
Result<Lease> RenewLease(Database& database, const Lease& lease, std::chrono::milliseconds ttl,
                         WallTime now);
Result<void> ReleaseLease(Database& database, const Lease& lease);
Result<void> CheckEpoch(Database& database, const LeaseKey& key, std::uint64_t epoch, WallTime now);
Result<std::vector<Lease>> ListLeases(Database& database, const std::optional<TenantId>& tenant,
                                      std::size_t limit, WallTime now);

}  // namespace falconer::store
