#pragma once
// What each capability asks of a token that has it: how long it may live, what whoever asked for it
// must have proved, and whether it may be used once or often.

#include <chrono>
#include <cstdint>
#include <span>

#include "model/action/capability.h"

namespace falconer::policy {

// What a person proved when the token was asked for, as the issuer says.
enum class TokenProof : std::uint8_t { kNone, kPasskey, kBiometric, kHardware };

inline constexpr EnumName<TokenProof> kTokenProofs[] = {
    {TokenProof::kNone, "none"},
    {TokenProof::kPasskey, "passkey"},
    {TokenProof::kBiometric, "passkey+biometric"},
    {TokenProof::kHardware, "passkey+hardware"},
};

// Whether `given` is as good as `wanted`: biometric and hardware are each more than a passkey, and
// neither stands for the other.
constexpr bool Satisfies(TokenProof given, TokenProof wanted) {
  return given == wanted || wanted == TokenProof::kNone ||
         (wanted == TokenProof::kPasskey && given != TokenProof::kNone);
}

enum class TokenUses : std::uint8_t { kMany, kOnce };

struct CapabilityRule {
  model::Capability capability;
  std::chrono::seconds lifetime;
  TokenProof proof;
  TokenUses uses;
};

// Whatever changes something outside of the page: never more than this.
inline constexpr std::chrono::seconds kMutatingLifetime = std::chrono::minutes(5);

// All rows, in the order of the enumeration.
std::span<const CapabilityRule> AllCapabilityRules();
const CapabilityRule& RuleOf(model::Capability capability);

// How long a token with all of these may live: as long as the shortest of them.
std::chrono::seconds LongestLifetime(model::CapabilitySet capabilities);
// Those of the set that may be used once.
model::CapabilitySet UsedOnce(model::CapabilitySet capabilities);

}  // namespace falconer::policy
