#pragma once
// StoreTransaction: what a job may do inside one transaction of the control store. All of it
// happens, or nothing. Runs on the store's own thread.

#include "base/error.h"
#include "store/action_index.h"
#include "store/chain_head.h"
#include "store/lease.h"

namespace falconer::store {

class StoreTransaction {
 public:
  virtual ~StoreTransaction() = default;

  // kStaleEpoch unless this epoch holds the lease now; details.reason is "expired", "superseded" or
  // "released".
  virtual Result<void> CheckEpoch(const LeaseKey& key, std::uint64_t epoch) = 0;
  // Adds or updates; a record with a lower seq than the one known is skipped. Beyond the bound of
  // the index the oldest terminal actions go.
  virtual Result<void> PutActions(const ActionBatch& batch) = 0;
  // kInvalidArgument when the head would move back.
  virtual Result<void> SetHead(const ChainHead& head) = 0;
};

}  // namespace falconer::store
