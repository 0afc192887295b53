#pragma once
// SecretTerms: by whom, on which pages, until when and how often a secret may be used, beyond the
// hosts it is bound to. A secret without terms may be used by every agent, any number of times.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/async/clock.h"
#include "base/json/json.h"

namespace falconer::policy {

// How long an ephemeral secret lives.
inline constexpr std::chrono::seconds kUsualSecretLife{300};
inline constexpr std::chrono::seconds kLongestSecretLife{900};

enum class SecretUses : std::uint8_t {
  kMany,
  kOnce,  // each field is given out once, and then forgotten
};

struct SecretTerms {
  std::vector<std::string> agents;          // none: every agent
  std::vector<std::string> pages;           // "/login", "/account/*"; none: every page of its hosts
  std::optional<WallTime> expires_at = {};  // to the millisecond
  SecretUses uses = SecretUses::kMany;
  std::vector<std::string> used;  // the fields that were given out, where each is once
  bool is_revoked = false;
  std::string lent_from = "";  // the secret it is a copy of

  bool operator==(const SecretTerms&) const = default;
  bool empty() const { return *this == SecretTerms(); }
  bool IsExpired(WallTime now) const { return expires_at && now >= *expires_at; }
  bool IsUsed(std::string_view field) const;
  bool AllowsAgent(std::string_view agent) const;
  // By the path of the document; one that has none is no page.
  bool AllowsPage(std::string_view path) const;

  // Only what is said.
  json::object ToJson() const;
  // kStoreDamaged; also for terms that are not known here, for they may be limits.
  static Result<SecretTerms> FromJson(const json::value& value);
};

// The end of an ephemeral secret's life. kInvalidArgument for a life that is not between a second
// and kLongestSecretLife.
Result<WallTime> SecretEnd(WallTime now, std::chrono::seconds life);

// "/" and what follows, with "*" at the end for everything below. kInvalidArgument, quoting it.
Result<void> CheckSecretPage(std::string_view page);

}  // namespace falconer::policy
