#pragma once
// KeyRing: the keys that tokens may be signed with. One is primary and signs; active ones are
// accepted too; deprecated ones are accepted until they retire, so that tokens of the old key live
// on while the new one signs. Plain data: KeyFolder keeps it on disk.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/async/clock.h"
#include "policy/tokens/token_key.h"

namespace falconer::policy {

enum class KeyState : std::uint8_t { kPrimary, kActive, kDeprecated };

inline constexpr EnumName<KeyState> kKeyStates[] = {
    {KeyState::kPrimary, "primary"},
    {KeyState::kActive, "active"},
    {KeyState::kDeprecated, "deprecated"},
};

struct RingKey {
  std::string name;  // kid
  KeyState state = KeyState::kActive;
  WallTime created;
  std::optional<WallTime> retires;  // of a deprecated key
  TokenKey key;

  bool IsRetired(WallTime now) const { return retires && now >= *retires; }
};

// A deprecated key is accepted for this long, unless something else is said.
inline constexpr std::chrono::seconds kKeyGrace = std::chrono::days(7);

class KeyRing {
 public:
  const std::vector<RingKey>& keys() const { return keys_; }
  const RingKey* Find(std::string_view name) const;
  // The key that signs; null while there is none.
  const RingKey* primary() const;
  // The key that tokens of this name are checked with. kTokenInvalid: unknown_kid, key_retired.
  Result<TokenKey> KeyNamed(std::string_view name, WallTime now) const;

  // A key more. kAlreadyExists for a name that is there, kInvalidArgument for one that is no name
  // of a key, for a second primary and for a primary that cannot sign.
  Result<void> Add(RingKey key);
  // `key` signs from now on; the old primary is accepted for `grace` more. With no grace it is
  // retired at once: for a key that others have.
  Result<void> Rotate(RingKey key, WallTime now, std::chrono::seconds grace);
  // Makes another key the one that signs; the old one stays active. kNotFound; kInvalidArgument for
  // a key that cannot sign or is deprecated.
  Result<void> SetPrimary(std::string_view name);
  // kNotFound; kInvalidArgument for the primary: something must sign.
  Result<void> Deprecate(std::string_view name, WallTime now, std::chrono::seconds grace);
  // kNotFound; kInvalidArgument for the primary, as long as there are others.
  Result<void> Remove(std::string_view name);

 private:
  RingKey* FindToChange(std::string_view name);
  Result<RingKey*> NeedOther(std::string_view name);

  std::vector<RingKey> keys_;
};

}  // namespace falconer::policy
