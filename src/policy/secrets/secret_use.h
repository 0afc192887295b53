#pragma once
// Whether a secret may be used: where, by whom, what for, and now.

#include <cstdint>
#include <string>

#include "model/policy_facts.h"
#include "policy/secrets/secret.h"

namespace falconer::policy {

// What a value is asked for.
enum class SecretPurpose : std::uint8_t {
  kTyping,
  kComparing,  // with what a field holds
};

// What kind of thing it is typed into.
enum class SecretPlace : std::uint8_t {
  kField,
  kPublished,  // its text is meant for others, or for an address
};

// Text areas and editable parts of a page hold what others will read, fields for addresses and
// searches what is sent as a query.
SecretPlace SecretPlaceOf(const model::ElementFacts& element);

struct SecretDemand {
  Host host;  // of the document it goes into
  std::uint16_t port = 443;
  bool is_encrypted = true;  // on its way to that host, and from it
  std::string path = "";     // of that document's address; empty when it has none
  std::string agent = "";    // that asks
  SecretPurpose purpose = SecretPurpose::kTyping;
  SecretPlace place = SecretPlace::kField;
};

// kSecurityDomainBlock for a host that is not the secret's, and for a page that anybody on the way
// to its host could have written, unless it comes from this machine; kConstraintViolated for what
// its terms do not allow, with a word in "reason": secret_agent, secret_page, secret_revoked,
// secret_expired, secret_single_use (for comparing with one that is for typing once).
Result<void> CheckSecretUse(const Secret& secret, const SecretDemand& demand, WallTime now);
// The same, whether this field of the secret may go there (secret_place: names of users may go
// anywhere, everything else only where kPublished is not), and whether it is still to be had:
// secret_used.
Result<void> CheckFieldUse(const Secret& secret, std::string_view field, const SecretDemand& demand,
                           WallTime now);

}  // namespace falconer::policy
