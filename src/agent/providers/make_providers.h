#pragma once
// From the setting agent.providers to somebody who answers.

#include <memory>

#include "agent/providers/key_source.h"
#include "agent/providers/provider_chain.h"
#include "base/json/json.h"

namespace falconer::agent {

// The providers of the setting, in its order. kInvalidSetting for a row that is wrong; then nothing
// is made. The clock must outlive the chain.
Result<std::unique_ptr<ProviderChain>> MakeProviders(Clock& clock, const json::array& rows,
                                                     const KeySource& keys,
                                                     ChainLimits limits = {});

}  // namespace falconer::agent
