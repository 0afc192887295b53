#pragma once
// LedgerTail: tells everybody who follows the ledger what was appended. It is read once for all of
// them; who is further behind than what is kept reads on by itself, so nobody misses a record and
// nobody holds up another. On the server's event loop.

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "api/tools/own_chain.h"
#include "api/tools/view_guard.h"
#include "base/async/notifier.h"
#include "base/async/task_scope.h"

namespace falconer::api {

// What is told of a record: its short facts. All of it is in the ledger.
struct TailRecord {
  std::uint64_t seq = 0;
  std::string kind;
  std::string facts;  // an object
};

class LedgerTail {
 public:
  LedgerTail(Executor executor, Clock& clock);
  LedgerTail(const LedgerTail&) = delete;
  LedgerTail& operator=(const LedgerTail&) = delete;

  using RecordPtr = std::shared_ptr<const TailRecord>;

  // Some of the records after number `after`, at least one, waited for if need be. Fails as reading
  // does, and like ctx. What is told of pages goes through `guard`.
  Task<Result<std::vector<RecordPtr>>> After(CallContext ctx, ToolRooms rooms, ViewGuard* guard,
                                             std::uint64_t after);
  // The number of the newest record; 0 when there is none.
  Task<Result<std::uint64_t>> Last(CallContext ctx, ToolRooms rooms);
  // Nobody is told any more. Must be over before this object goes.
  Task<void> Stop();

 private:
  void Begin(const ToolRooms& rooms, ViewGuard* guard);
  static Task<void> Follow(LedgerTail* self, OwnChain chain, ViewGuard* guard);
  // Reads what is new behind the last one that is kept.
  Task<Result<void>> Advance(CallContext ctx, OwnChain chain, ViewGuard* guard);
  std::vector<RecordPtr> KeptAfter(std::uint64_t after) const;

  CallContext ctx_;
  bool is_stopping_ = false;
  bool is_following_ = false;
  // Something was appended since it was last read.
  bool is_behind_ = true;
  std::uint64_t last_ = 0;
  std::deque<RecordPtr> kept_;
  Notifier changes_;
  Subscription heard_;
  TaskScope tasks_;
};

}  // namespace falconer::api
