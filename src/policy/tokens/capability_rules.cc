#include "policy/tokens/capability_rules.h"

#include <algorithm>

namespace falconer::policy {
namespace {

using model::Capability;
using std::chrono::seconds;

constexpr CapabilityRule kCapabilityRules[] = {
    {Capability::kRead, seconds(3600), TokenProof::kNone, TokenUses::kMany},
    {Capability::kNavigate, seconds(1800), TokenProof::kNone, TokenUses::kMany},
    // What a click turns out to do needs the capability for that.
    {Capability::kInteract, seconds(900), TokenProof::kNone, TokenUses::kMany},
    {Capability::kWrite, seconds(300), TokenProof::kPasskey, TokenUses::kMany},
    {Capability::kSubmit, seconds(300), TokenProof::kPasskey, TokenUses::kMany},
    {Capability::kPurchase, seconds(60), TokenProof::kBiometric, TokenUses::kOnce},
    {Capability::kUpload, seconds(300), TokenProof::kPasskey, TokenUses::kMany},
    {Capability::kDownload, seconds(300), TokenProof::kNone, TokenUses::kMany},
    {Capability::kScript, seconds(300), TokenProof::kPasskey, TokenUses::kMany},
    {Capability::kExport, seconds(300), TokenProof::kPasskey, TokenUses::kMany},
    {Capability::kAuth, seconds(120), TokenProof::kBiometric, TokenUses::kMany},
    {Capability::kDelete, seconds(60), TokenProof::kHardware, TokenUses::kOnce},
    {Capability::kPii, seconds(300), TokenProof::kPasskey, TokenUses::kMany},
    {Capability::kAdmin, seconds(300), TokenProof::kHardware, TokenUses::kMany},
};

}  // namespace

std::span<const CapabilityRule> AllCapabilityRules() {
  return kCapabilityRules;
}

const CapabilityRule& RuleOf(Capability capability) {
  return kCapabilityRules[static_cast<std::size_t>(capability)];
}

seconds LongestLifetime(model::CapabilitySet capabilities) {
  seconds longest = seconds::max();
  for (const CapabilityRule& rule : kCapabilityRules) {
    if (capabilities.Contains(rule.capability)) longest = std::min(longest, rule.lifetime);
  }
  return longest;
}

model::CapabilitySet UsedOnce(model::CapabilitySet capabilities) {
  model::CapabilitySet once;
  for (const CapabilityRule& rule : kCapabilityRules) {
    const bool is_meant = rule.uses == TokenUses::kOnce && capabilities.Contains(rule.capability);
    if (is_meant) once.Add(rule.capability);
  }
  return once;
}

}  // namespace falconer::policy
