#include "agent/providers/make_providers.h"

#include <utility>

#include "agent/providers/web_provider.h"

namespace falconer::agent {

Result<std::unique_ptr<ProviderChain>> MakeProviders(Clock& clock, const json::array& rows,
                                                     const KeySource& keys, ChainLimits limits) {
  TRY_ASSIGN(std::vector<ProviderSpec> specs, ParseProviders(rows));
  std::vector<std::unique_ptr<Provider>> providers;
  for (ProviderSpec& spec : specs)
    providers.push_back(std::make_unique<WebProvider>(std::move(spec), keys));
  return std::make_unique<ProviderChain>(clock, std::move(providers), limits);
}

}  // namespace falconer::agent
