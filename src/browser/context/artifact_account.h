#pragma once
// ArtifactAccount: how many bytes a tenant has kept and is bringing in. Counted in memory while
// content streams; the folder itself is counted again before anything is kept, because other
// processes may use it too. Safe to use from several threads.

#include <cstdint>
#include <mutex>

#include "base/error.h"

namespace falconer::browser {

class ArtifactAccount {
 public:
  explicit ArtifactAccount(std::uint64_t most) : most_(most) {}

  // What it may have from now on; what is there stays.
  void SetMost(std::uint64_t bytes);
  // What the folder holds at this moment.
  void SetKept(std::uint64_t bytes);
  // Makes room for bytes that are about to be written. kQuotaArtifactBytes.
  Result<void> Take(std::uint64_t bytes);
  // They were given up, or are counted among what is kept now.
  void GiveBack(std::uint64_t bytes);
  // What is still free.
  std::uint64_t Left() const;

 private:
  mutable std::mutex mutex_;
  std::uint64_t most_;
  std::uint64_t kept_ = 0;
  std::uint64_t incoming_ = 0;
};

}  // namespace falconer::browser
