#pragma once
// What is remembered about capability tokens: which were issued, used and revoked. Plain data that
// policy decides with and the store keeps.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/async/clock.h"
#include "base/ids.h"
#include "model/action/capability.h"

namespace falconer::model {

// A token as records are asked about it.
struct TokenName {
  std::string token_id;  // jti
  TenantId tenant;
  AgentId agent;
  // The earliest moment, by our clock, at which it may have been issued: clocks of others differ.
  WallTime earliest_issue;
};

enum class Revocation : std::uint8_t { kNone, kToken, kAgent, kAll };

inline constexpr EnumName<Revocation> kRevocations[] = {
    {Revocation::kNone, "none"},
    {Revocation::kToken, "token"},
    {Revocation::kAgent, "agent"},
    {Revocation::kAll, "all"},
};

struct TokenStanding {
  Revocation revoked = Revocation::kNone;
  std::string reason;  // of whoever revoked
  WallTime at;

  bool operator==(const TokenStanding&) const = default;
};

// One use of what may be used once.
struct TokenUse {
  std::string token_id;
  std::string slot;  // what of the token is used
  std::string use;   // for what: the same again is the same use
  WallTime expires;  // of the token; kept until then at least
};

enum class UseOutcome : std::uint8_t { kFirst, kSame, kReplayed };

struct IssuedToken {
  std::string token_id;
  TenantId tenant;
  AgentId agent;
  PlanId plan;
  std::string key_name;
  CapabilitySet capabilities;
  WallTime issued;
  WallTime expires;

  bool operator==(const IssuedToken&) const = default;
};

struct TokenRevocation {
  std::string token_id;
  std::string reason;
};

// Revokes what was issued until now: of one agent, of a tenant (no agent), of everybody (neither).
struct TokenCutoff {
  TenantId tenant;
  AgentId agent;
  std::string reason;
};

struct TokenFilter {
  TenantId tenant;  // "" for every
  AgentId agent;    // "" for every
  std::uint64_t limit = 50;
};

struct ListedToken {
  IssuedToken token;
  TokenStanding standing;
};

}  // namespace falconer::model
