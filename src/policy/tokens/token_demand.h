#pragma once
// TokenDemand: what is about to happen and a token must allow. Filled from what is really there:
// the action's row, the page's address, the request about to leave.

#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "model/action/capability.h"
#include "model/policy_facts.h"

namespace falconer::policy {

struct TokenDemand {
  model::CapabilitySet capabilities = {};
  // Every address that it concerns: where the page is, where it goes. about:blank is nowhere.
  std::vector<std::string> urls = {};
  // What it spends. Nothing when that cannot be told.
  std::optional<model::Money> amount = std::nullopt;
  bool touches_pii = false;
  // On whose behalf the caller says it acts; "" when it does not say.
  TenantId tenant = {};
  AgentId agent = {};
  // Names the contract: using a token again for the same one is not a replay. "" for none.
  std::string use = "";
};

}  // namespace falconer::policy
