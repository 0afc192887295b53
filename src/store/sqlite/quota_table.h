#pragma once
// Quotas and what counts against them, in SQLite. Every function runs inside the caller's
// transaction.

#include "store/quota_store.h"
#include "store/sqlite/database.h"

namespace falconer::store {

Result<QuotaAnswer> TakeAction(Database& database, const QuotaRequest& request, WallTime now);
Result<void> ReturnAction(Database& database, const ActionTicket& ticket);
Result<model::TenantQuota> GetQuota(Database& database, const TenantId& tenant,
                                    model::TenantQuota defaults);
Result<void> SetQuota(Database& database, const QuotaChange& change);
Result<QuotaUse> GetUse(Database& database, const TenantId& tenant, WallTime now);
Result<std::vector<TenantId>> ListQuotas(Database& database);
Result<std::uint64_t> CountSessions(Database& database, WallTime now);

}  // namespace falconer::store
