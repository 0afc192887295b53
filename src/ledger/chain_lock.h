#pragma once
// ChainLock: who may write a chain. Every process that has the chain open holds the lock shared for
// as long as it has; whoever appends takes a turn, alone, for one commit. The system lets go of
// both when the process ends.

#include <chrono>
#include <filesystem>

#include "base/error.h"
#include "base/unique_fd.h"
#include "ledger/chain_paths.h"

namespace falconer::ledger {

class ChainLock {
 public:
  // The right to write the chain, until it goes.
  class Turn {
   public:
    Turn(Turn&&) noexcept = default;
    Turn& operator=(Turn&&) = delete;

   private:
    friend class ChainLock;
    explicit Turn(UniqueFd lock) : lock_(std::move(lock)) {}
    // Open for this turn alone: closing it lets go, and wakes who waits.
    UniqueFd lock_;
  };

  // Marks the chain as open. The folder must exist. kIoError.
  static Result<ChainLock> Open(const ChainPaths& paths);
  // Blocks until the others have written. kTimeout with details chain and, where the system tells
  // it, holder (a process); kIoError.
  Result<Turn> Take(std::chrono::milliseconds patience) const;
  // Its files were removed: whoever comes next would not meet this lock any more.
  bool is_gone() const;

  // Whether somebody has the chain open now. Asking disturbs nobody.
  static bool IsTaken(const std::filesystem::path& path);

 private:
  ChainLock(std::filesystem::path folder, UniqueFd open, UniqueFd next, UniqueFd turn)
      : folder_(std::move(folder)),
        open_(std::move(open)),
        next_(std::move(next)),
        turn_(std::move(turn)) {}
  Result<UniqueFd> Lock(int fd, std::chrono::steady_clock::time_point until) const;

  std::filesystem::path folder_;
  UniqueFd open_;  // shared, for as long as this lives
  UniqueFd next_;  // held while waiting for the turn: who just had it queues behind who waits
  UniqueFd turn_;
};

}  // namespace falconer::ledger
