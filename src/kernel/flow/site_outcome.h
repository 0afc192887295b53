#pragma once
// What a turn says about the site it was about. Only what comes from the site counts: that it could
// not be reached, did not answer in time, answered with an error of its own, or broke the page.
// What the caller, the policy or the verification found wrong says nothing about it.

#include <optional>

#include "model/action/action_type.h"
#include "model/contract/result.h"
#include "store/breaker_store.h"

namespace falconer::kernel {

// Nothing when the turn says nothing about the site.
std::optional<store::SiteOutcome> SiteOutcomeOf(model::ActionType action,
                                                const model::ActionExecutionResult& result);

}  // namespace falconer::kernel
