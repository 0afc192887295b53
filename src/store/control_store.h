#pragma once
// ControlStore: what must be known and durable before the next step of the control plane may be
// taken. Every call is one transaction and answers on the executor of the coroutine that made it,
// once the transaction is on disk; what can be made again from the ledger may then still be lost
// with the power, but not with the process. A job that was taken is finished even if its caller no
// longer waits. All calls may come from any thread; they fail with kQueueFull when too many wait,
// with kIoError (path and reason of the system in the message) while the disk refuses, and with
// kStoreDamaged when the database no longer makes sense.
//
// The store MUST outlive the calls that wait on it, and every executor that called it MUST outlive
// the store.

#include <functional>
#include <optional>

#include "base/async/task.h"
#include "store/chain_head.h"
#include "store/lease.h"
#include "store/store_transaction.h"

namespace falconer::store {

using StoreJob = std::move_only_function<Result<void>(StoreTransaction&)>;

class ControlStore {
 public:
  virtual ~ControlStore() = default;

  // Grants the lease, or grants it again to the owner that still holds it, with the same epoch
  // unless a new one is asked for.
  // kSessionLeaseNotAcquired with details owner and retry_after_ms when another owner holds it;
  // kInvalidArgument for an empty owner or a ttl that is not between 1 ms and a day.
  virtual Task<Result<Lease>> AcquireLease(LeaseRequest request) = 0;
  // The same lease, held until `ttl` from now. kStaleEpoch when it was lost: an expired lease is
  // lost too, even if nobody took it since.
  virtual Task<Result<Lease>> RenewLease(Lease lease, std::chrono::milliseconds ttl) = 0;
  // Lets go. Doing so twice, or after losing it, changes nothing and is no error.
  virtual Task<Result<void>> ReleaseLease(Lease lease) = 0;

  // Runs `job` in one transaction.
  virtual Task<Result<void>> Write(StoreJob job) = 0;

  virtual Task<Result<void>> PutActions(ActionBatch batch) = 0;
  virtual Task<Result<std::optional<IndexedAction>>> FindAction(ActionKey key) = 0;
  // Up to which record the chain is in the index of actions; 0 for a chain nobody knows.
  virtual Task<Result<std::uint64_t>> IndexedSeq(std::string chain) = 0;

  // Stores the head soon, without an answer; of several for one chain only the newest is kept,
  // whichever process it comes from. A failure is logged: the next head makes up for it.
  virtual void PostHead(ChainHead head) = 0;
  virtual Task<Result<std::optional<ChainHead>>> GetHead(std::string chain) = 0;
};

}  // namespace falconer::store
