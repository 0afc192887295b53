#pragma once
// QuotaStore: what tenants may use and what they use now, for all processes together. Asking and
// taking is one step, so that never more is admitted than there is. Calls behave as those of
// ControlStore. How many bytes of artifacts a tenant has is counted where the artifacts are.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/async/task.h"
#include "model/tenant_quota.h"
#include "store/lease.h"

namespace falconer::store {

// The window that actions are counted in slides: an action counts for exactly this long.
inline constexpr std::chrono::milliseconds kActionWindow = std::chrono::seconds(60);

struct QuotaRequest {
  // The workflow that wants to act. Its own session is not in its way.
  LeaseKey key;
  // What holds where the tenant has no limit of its own.
  model::TenantQuota defaults;
  // Owners of leases of whom the caller knows that they have ended: their sessions do not count.
  std::vector<std::string> gone_owners = {};
};

// An action that was counted.
struct ActionTicket {
  TenantId tenant;
  std::uint64_t id = 0;

  bool operator==(const ActionTicket&) const = default;
};

struct QuotaAnswer {
  model::TenantQuota quota;  // in force for the tenant
  // Sessions of the tenant whose lease is older than that of the workflow: those that came first
  // stay, whoever comes too many is the one that is refused.
  std::uint64_t sessions = 0;
  std::vector<std::string> owners;            // of these sessions, each once
  std::chrono::milliseconds session_wait{0};  // until the first of them ends unless it is renewed
  std::uint64_t actions = 0;                  // in the window, without this one
  std::chrono::milliseconds action_wait{0};   // until there is room for one more; zero if there is
  // The action, counted; none when a limit is reached, or when actions are not limited.
  std::optional<ActionTicket> ticket;
};

struct QuotaChange {
  TenantId tenant;
  // Names of limits (model::kQuotaRows) with what holds from now on; nothing for the default.
  std::vector<std::pair<std::string, std::optional<std::uint64_t>>> values;
};

struct QuotaUse {
  std::uint64_t sessions = 0;
  std::uint64_t actions_last_minute = 0;
  std::uint64_t actions_last_hour = 0;
  // Until the oldest action of the last minute no longer counts; zero when there is none.
  std::chrono::milliseconds oldest_leaves{0};
};

class QuotaStore {
 public:
  virtual ~QuotaStore() = default;

  // Counts one action of the workflow if the tenant's limits of sessions and actions allow it.
  virtual Task<Result<QuotaAnswer>> TakeAction(QuotaRequest request) = 0;
  // The action did not take place: it no longer counts. Done soon, without an answer; a failure is
  // logged, and the action counts until the window has passed.
  virtual void PostReturnAction(ActionTicket ticket) = 0;

  virtual Task<Result<model::TenantQuota>> GetQuota(TenantId tenant,
                                                    model::TenantQuota defaults) = 0;
  // All of it or nothing. kInvalidArgument for a name that no limit has, a number that is too
  // large, or no tenant.
  virtual Task<Result<void>> SetQuota(QuotaChange change) = 0;
  virtual Task<Result<QuotaUse>> GetUse(TenantId tenant) = 0;
  // Tenants that have limits of their own.
  virtual Task<Result<std::vector<TenantId>>> ListQuotas() = 0;
  // Sessions of all tenants.
  virtual Task<Result<std::uint64_t>> CountSessions() = 0;
};

}  // namespace falconer::store
