#pragma once
// Records of a chain that no caller of this process appended: those of other processes, and what
// recovery wrote. Whoever keeps an index of the chain needs them to know that it is complete.

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/ids.h"
#include "store/action_index.h"

namespace falconer::ledger {

struct PassedRecords {
  TenantId tenant;
  // Both inclusive; `last` is 0 when there are none.
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  // What they say about actions.
  std::vector<store::IndexedAction> actions;
};

// Hands passed records on to the one who listens. Both ends may go first.
class PassedFeed {
 public:
  using Listener = std::function<void(PassedRecords records)>;

  // Nobody is told any more when this returns, but `listener`, on the threads of the writers; it
  // must not block. Empty for nobody.
  void Listen(Listener listener) {
    const std::scoped_lock lock(mutex_);
    listener_ = std::move(listener);
  }
  void Tell(PassedRecords records) {
    const std::scoped_lock lock(mutex_);
    if (listener_) listener_(std::move(records));
  }

 private:
  std::mutex mutex_;
  Listener listener_;
};

}  // namespace falconer::ledger
