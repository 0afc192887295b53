#include "app/host/local_tokens.h"

#include <utility>

#include "base/log.h"

namespace falconer::app {
namespace {

constexpr std::string_view kLocalAgent = "local";

model::CapabilitySet EveryCapability() {
  model::CapabilitySet all;
  for (const auto& [capability, name] : model::kCapabilities) all.Add(capability);
  return all;
}

}  // namespace

LocalTokens::LocalTokens(const Settings& settings, const policy::TokenVerifier& verifier)
    : tenant_(settings.tenant), shown_(settings.tokens.token), verifier_(verifier) {
}

Result<std::unique_ptr<LocalTokens>> LocalTokens::Open(const Settings& settings,
                                                       const policy::TokenVerifier& verifier,
                                                       const Clock& clock) {
  std::unique_ptr<LocalTokens> opened(new LocalTokens(settings, verifier));
  if (!opened->shown_.empty()) return opened;
  const policy::KeyFolder keys(policy::KeyFolder::PathIn(settings.data.dir));
  TRY_ASSIGN(const policy::RingKey key,
             keys.PrimaryOrNew(policy::TokenAlgorithm::kEdDsa, clock.WallNow()));
  opened->issuer_ =
      std::make_unique<policy::TokenIssuer>(verifier.rules(), key.name, key.key, clock);
  return opened;
}

engine::Caller LocalTokens::Caller() const {
  if (!issuer_) {
    const auto verified = verifier_.Verify(shown_);
    return {.tenant = verified ? verified->tenant : tenant_,
            .agent = verified ? verified->claims.agent.value() : std::string(kLocalAgent),
            .token = shown_};
  }
  const model::CapabilitySet all = EveryCapability();
  auto made = issuer_->Issue({.agent = AgentId(std::string(kLocalAgent)),
                              .tenant = tenant_,
                              .plan = {},
                              .capabilities = all,
                              .constraints = {},
                              .lifetime = std::nullopt},
                             {.capabilities = all, .constraints = {}});
  if (!made) LOG(error, "token.not_made", {"why", made.error().message()});
  return {.tenant = tenant_,
          .agent = std::string(kLocalAgent),
          .token = made ? std::move(made->token) : std::string()};
}

}  // namespace falconer::app
