#include "browser/context/artifact_account.h"

#include <fmt/format.h>

namespace falconer::browser {

void ArtifactAccount::SetMost(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  most_ = bytes;
}

void ArtifactAccount::SetKept(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  kept_ = bytes;
}

Result<void> ArtifactAccount::Take(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t used = kept_ + incoming_;
  if (used > most_ || bytes > most_ - used) {
    return Fail(ErrorCode::kQuotaArtifactBytes,
                fmt::format("artifacts may have {} bytes (max_artifact_bytes); {} are "
                            "in use and {} more are asked for",
                            most_, used, bytes));
  }
  incoming_ += bytes;
  return {};
}

void ArtifactAccount::GiveBack(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  incoming_ -= bytes;
}

std::uint64_t ArtifactAccount::Left() const {
  const std::lock_guard lock(mutex_);
  const std::uint64_t used = kept_ + incoming_;
  return used < most_ ? most_ - used : 0;
}

}  // namespace falconer::browser
