#pragma once
// ControlPanel: what the server shows of those who decide whether something may happen, and what an
// operator may change of it.

#include "kernel/gates/policy_file.h"
#include "kernel/tokens/token_office.h"
#include "model/tenant_quota.h"
#include "store/sqlite_store.h"

namespace falconer::api {

// All must outlive it.
struct ControlPanel {
  kernel::PolicyFile& policies;
  kernel::TokenOffice& tokens;
  store::SqliteStore& store;
  // Of tenants that have none of their own.
  model::TenantQuota default_quota;
  store::BreakerLimits breaker_limits;
};

}  // namespace falconer::api
