#include "store/sqlite/lease_table.h"

#include <algorithm>
#include <fmt/format.h>

#include "store/sqlite/wall_ms.h"

namespace falconer::store {
namespace {

constexpr std::chrono::milliseconds kLongestTtl = std::chrono::hours(24);
// Long enough that an old holder hears "expired" and not "released".
constexpr std::int64_t kForgetAfterMs = 3'600'000;

Result<void> CheckTtl(std::chrono::milliseconds ttl) {
  if (ttl.count() >= 1 && ttl <= kLongestTtl) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("ttl: {} ms is not between 1 ms and a day", ttl.count()));
}

Result<void> CheckRequest(const LeaseRequest& request) {
  if (request.owner.empty()) return Fail(ErrorCode::kInvalidArgument, "owner: must not be empty");
  return CheckTtl(request.ttl);
}

Result<std::optional<Lease>> Find(Database& database, const LeaseKey& key) {
  TRY_ASSIGN(Statement find, database.Use("SELECT owner, epoch, expires_ms FROM leases"
                                          " WHERE tenant = ? AND workflow = ?"));
  TRY_ASSIGN(const bool found, find.Text(key.tenant.value()).Text(key.workflow.value()).Step());
  if (!found) return std::optional<Lease>();
  return Lease{key, find.TextAt(0), find.CountAt(1), FromWallMs(find.NumberAt(2))};
}

Result<std::uint64_t> NextEpoch(Database& database) {
  TRY_ASSIGN(Statement next, database.Use("UPDATE counters SET value = value + 1"
                                          " WHERE name = 'lease_epoch' RETURNING value"));
  TRY_ASSIGN(const bool found, next.Step());
  if (!found) return Fail(ErrorCode::kStoreDamaged, "the counter of lease epochs is missing");
  const std::uint64_t epoch = next.CountAt(0);
  TRY(next.Run());
  return epoch;
}

Result<void> Save(Database& database, const Lease& lease) {
  TRY_ASSIGN(Statement save, database.Use("INSERT OR REPLACE INTO leases VALUES(?, ?, ?, ?, ?)"));
  return save.Text(lease.key.tenant.value())
      .Text(lease.key.workflow.value())
      .Text(lease.owner)
      .Number(lease.epoch)
      .Number(ToWallMs(lease.expires))
      .Run();
}

// A few per grant: the table stays as small as what is in use.
Result<void> ForgetOld(Database& database, WallTime now) {
  TRY_ASSIGN(Statement forget,
             database.Use("DELETE FROM leases WHERE (tenant, workflow) IN (SELECT tenant, workflow"
                          " FROM leases WHERE expires_ms < ? ORDER BY expires_ms LIMIT 8)"));
  return forget.Number(ToWallMs(now) - kForgetAfterMs).Run();
}

std::unexpected<Error> HeldByAnother(const Lease& lease, WallTime now) {
  const std::int64_t left = std::max<std::int64_t>(ToWallMs(lease.expires) - ToWallMs(now), 1);
  return Fail(Error(ErrorCode::kSessionLeaseNotAcquired,
                    fmt::format("workflow {} is held by {} for another {} ms",
                                lease.key.workflow.value(), lease.owner, left),
                    {{"owner", lease.owner}, {"retry_after_ms", left}}));
}

std::unexpected<Error> Stale(const LeaseKey& key, std::uint64_t epoch, std::string_view reason) {
  return Fail(Error(
      ErrorCode::kStaleEpoch,
      fmt::format("epoch {} no longer holds workflow {}: {}", epoch, key.workflow.value(), reason),
      {{"epoch", epoch}, {"reason", reason}}));
}

Result<Lease> FindHeld(Database& database, const LeaseKey& key, std::uint64_t epoch, WallTime now) {
  TRY_ASSIGN(std::optional<Lease> lease, Find(database, key));
  if (!lease) return Stale(key, epoch, "released");
  if (lease->epoch != epoch) return Stale(key, epoch, "superseded");
  if (lease->expires <= now) return Stale(key, epoch, "expired");
  return *std::move(lease);
}

}  // namespace

Result<Lease> AcquireLease(Database& database, const LeaseRequest& request, WallTime now) {
  TRY(CheckRequest(request));
  TRY_ASSIGN(std::optional<Lease> held, Find(database, request.key));
  const bool is_live = held && held->expires > now && held->owner != request.gone_owner;
  if (is_live && held->owner != request.owner) return HeldByAnother(*held, now);
  const WallTime expires = FromWallMs(ToWallMs(now + request.ttl));
  Lease lease{request.key, request.owner, 0, expires};
  if (is_live && request.again == LeaseEpoch::kSame) {
    lease.epoch = held->epoch;
    lease.expires = std::max(expires, held->expires);
  } else {
    TRY_ASSIGN(lease.epoch, NextEpoch(database));
  }
  TRY(Save(database, lease));
  TRY(ForgetOld(database, now));
  return lease;
}

Result<Lease> RenewLease(Database& database, const Lease& lease, std::chrono::milliseconds ttl,
                         WallTime now) {
  TRY(CheckTtl(ttl));
  TRY_ASSIGN(Lease held, FindHeld(database, lease.key, lease.epoch, now));
  held.expires = std::max(held.expires, FromWallMs(ToWallMs(now + ttl)));
  TRY(Save(database, held));
  return held;
}

Result<void> ReleaseLease(Database& database, const Lease& lease) {
  TRY_ASSIGN(Statement release,
             database.Use("DELETE FROM leases WHERE tenant = ? AND workflow = ? AND epoch = ?"));
  return release.Text(lease.key.tenant.value())
      .Text(lease.key.workflow.value())
      .Number(lease.epoch)
      .Run();
}

}  // namespace falconer::store
