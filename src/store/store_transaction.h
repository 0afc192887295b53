#pragma once
// StoreTransaction: what a job may do inside one transaction of the control store. All of it
// happens, or nothing. Runs on the store's own thread.

#include "base/error.h"
#include "store/action_index.h"

namespace falconer::store {

class StoreTransaction {
 public:
  virtual ~StoreTransaction() = default;

  // Adds or updates; a record with a lower seq than the one known is skipped. Beyond the bound of
  // the index the oldest terminal actions go.
  virtual Result<void> PutActions(const ActionBatch& batch) = 0;
};

}  // namespace falconer::store
