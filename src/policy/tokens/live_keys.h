#pragma once
// LiveKeys: the keys of a folder for a program that runs on while others rotate and remove them. A
// change is seen within kKeyRefresh; a folder that can no longer be read allows nothing.

#include <memory>
#include <mutex>

#include "policy/tokens/key_folder.h"
#include "policy/tokens/token_verifier.h"

namespace falconer::policy {

inline constexpr std::chrono::seconds kKeyRefresh{1};

class LiveKeys final : public TokenKeySource {
 public:
  // The clock must outlive this.
  LiveKeys(KeyFolder folder, const Clock& clock);

  // From any thread.
  Result<TokenKey> KeyNamed(std::string_view name, WallTime now) const override;
  // The key that signs now, with its name. kNotFound while there is none.
  Result<RingKey> Primary() const;

 private:
  Result<std::shared_ptr<const KeyRing>> Ring() const;
  void Refresh() const;

  KeyFolder folder_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  mutable std::optional<TimePoint> looked_;
  mutable std::string version_;
  mutable Result<std::shared_ptr<const KeyRing>> ring_;
};

}  // namespace falconer::policy
