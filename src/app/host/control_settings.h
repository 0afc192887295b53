#pragma once
// What the settings say about those who decide: limits of tenants, circuits, tokens.

#include "base/settings/settings.h"
#include "model/tenant_quota.h"
#include "policy/tokens/token_verifier.h"
#include "store/breaker_store.h"

namespace falconer::app {

// Of tenants that have no limits of their own.
model::TenantQuota QuotaFrom(const Settings& settings);
store::BreakerLimits BreakerLimitsFrom(const Settings& settings);
// The rules that tokens are made and checked by.
policy::TokenRules TokenRulesFrom(const Settings& settings);

}  // namespace falconer::app
