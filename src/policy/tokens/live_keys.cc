#include "policy/tokens/live_keys.h"

#include "base/log.h"

namespace falconer::policy {

LiveKeys::LiveKeys(KeyFolder folder, const Clock& clock)
    : folder_(std::move(folder)), clock_(clock), ring_(std::make_shared<const KeyRing>()) {
}

// The version is read first: a change in between is then seen the next time.
void LiveKeys::Refresh() const {
  std::string version = folder_.Version();
  const bool is_known = looked_.has_value() && version == version_ && ring_.has_value();
  if (is_known) return;
  Result<KeyRing> ring = folder_.Load();
  version_ = std::move(version);
  if (ring) {
    ring_ = std::make_shared<const KeyRing>(*std::move(ring));
    return;
  }
  LOG(error, "tokens.keys", {"error", Describe(ring.error())});
  ring_ = Fail(std::move(ring).error());
}

Result<std::shared_ptr<const KeyRing>> LiveKeys::Ring() const {
  const std::scoped_lock lock(mutex_);
  const TimePoint now = clock_.Now();
  if (!looked_ || now - *looked_ >= kKeyRefresh) {
    Refresh();
    looked_ = now;
  }
  return ring_;
}

Result<TokenKey> LiveKeys::KeyNamed(std::string_view name, WallTime now) const {
  TRY_ASSIGN(const auto ring, Ring());
  return ring->KeyNamed(name, now);
}

Result<RingKey> LiveKeys::Primary() const {
  TRY_ASSIGN(const auto ring, Ring());
  const RingKey* key = ring->primary();
  if (key != nullptr) return *key;
  return Fail(ErrorCode::kNotFound, "there is no key that signs tokens: falconer token keygen");
}

}  // namespace falconer::policy
