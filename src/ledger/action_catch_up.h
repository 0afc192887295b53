#pragma once
// Brings the store's index of actions up to the end of a chain. The index is written behind the
// ledger; after a crash it may lack what the ledger has.

#include <filesystem>

#include "base/async/task.h"
#include "ledger/reader.h"
#include "store/control_store.h"

namespace falconer::ledger {

// What a record says about an action: turn_opened makes it open, turn_closed terminal; records
// without workflow, action_hash (64 hex digits) and turn_id say nothing. An action that is known in
// something smaller than its workflow has that as `scope`.
std::optional<store::IndexedAction> ActionIn(const RecordView& record, const TenantId& tenant);

// Reads the records that are not yet indexed and puts what they say into the store, in batches.
// Returns up to which record the index now goes; the newest ones may be in it too, but are read
// again the next time, until the store knows that they are durable. Others may write the chain
// meanwhile. Reads files on the caller's thread: meant for the start, before the tenant is served.
// kIoError, kLedgerDamaged, and what the store fails with.
Task<Result<std::uint64_t>> CatchUpActions(store::ControlStore* store, std::filesystem::path folder,
                                           TenantId tenant);

}  // namespace falconer::ledger
