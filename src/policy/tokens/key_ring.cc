#include "policy/tokens/key_ring.h"

#include <algorithm>

#include "policy/tokens/compact_jws.h"

namespace falconer::policy {
namespace {

std::unexpected<Error> NoSuchKey(std::string_view name) {
  return Fail(ErrorCode::kNotFound, "there is no key " + std::string(name));
}

std::unexpected<Error> WrongKey(std::string_view name, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, "key " + std::string(name) + ": " + std::string(why));
}

}  // namespace

const RingKey* KeyRing::Find(std::string_view name) const {
  const auto found = std::ranges::find(keys_, name, &RingKey::name);
  return found == keys_.end() ? nullptr : &*found;
}

RingKey* KeyRing::FindToChange(std::string_view name) {
  const auto found = std::ranges::find(keys_, name, &RingKey::name);
  return found == keys_.end() ? nullptr : &*found;
}

const RingKey* KeyRing::primary() const {
  const auto found = std::ranges::find(keys_, KeyState::kPrimary, &RingKey::state);
  return found == keys_.end() ? nullptr : &*found;
}

Result<TokenKey> KeyRing::KeyNamed(std::string_view name, WallTime now) const {
  const RingKey* key = Find(name);
  if (key == nullptr) return RefuseToken(TokenFault::kKeyUnknown);
  if (key->IsRetired(now)) return RefuseToken(TokenFault::kKeyRetired);
  return key->key;
}

Result<void> KeyRing::Add(RingKey key) {
  if (!IsKeyName(key.name)) return WrongKey(key.name, "is no name of a key");
  if (Find(key.name) != nullptr) {
    return Fail(ErrorCode::kAlreadyExists, "there is a key " + key.name + " already");
  }
  const bool is_primary = key.state == KeyState::kPrimary;
  if (is_primary && primary() != nullptr) return WrongKey(key.name, "another key is primary");
  if (is_primary && !key.key.can_sign()) return WrongKey(key.name, "cannot sign");
  keys_.push_back(std::move(key));
  return {};
}

Result<void> KeyRing::Rotate(RingKey key, WallTime now, std::chrono::seconds grace) {
  KeyRing next = *this;
  const auto old = std::ranges::find(next.keys_, KeyState::kPrimary, &RingKey::state);
  if (old != next.keys_.end()) {
    old->state = KeyState::kDeprecated;
    old->retires = now + grace;
  }
  key.state = KeyState::kPrimary;
  TRY(next.Add(std::move(key)));
  *this = std::move(next);
  return {};
}

Result<void> KeyRing::SetPrimary(std::string_view name) {
  RingKey* const next = FindToChange(name);
  if (next == nullptr) return NoSuchKey(name);
  if (!next->key.can_sign()) return WrongKey(name, "has no private half here and cannot sign");
  if (next->state == KeyState::kDeprecated) return WrongKey(name, "is deprecated");
  for (RingKey& key : keys_) {
    if (key.state == KeyState::kPrimary) key.state = KeyState::kActive;
  }
  next->state = KeyState::kPrimary;
  return {};
}

Result<RingKey*> KeyRing::NeedOther(std::string_view name) {
  RingKey* const key = FindToChange(name);
  if (key == nullptr) return NoSuchKey(name);
  if (key->state == KeyState::kPrimary && keys_.size() > 1) {
    return WrongKey(name, "is primary; rotate, or make another key primary first");
  }
  return key;
}

Result<void> KeyRing::Deprecate(std::string_view name, WallTime now, std::chrono::seconds grace) {
  TRY_ASSIGN(RingKey* const key, NeedOther(name));
  if (key->state == KeyState::kPrimary) return WrongKey(name, "is the only key; rotate instead");
  key->state = KeyState::kDeprecated;
  // Saying it twice must not make a key live longer.
  key->retires = std::min(now + grace, key->retires.value_or(now + grace));
  return {};
}

Result<void> KeyRing::Remove(std::string_view name) {
  TRY_ASSIGN(const RingKey* const key, NeedOther(name));
  std::erase_if(keys_,
                [key_name = key->name](const RingKey& each) { return each.name == key_name; });
  return {};
}

}  // namespace falconer::policy
