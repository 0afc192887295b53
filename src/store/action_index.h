#pragma once
// The index of actions: which actions of a workflow were opened and which have ended, and where the
// ledger has their records. It makes a duplicate contract cheap to recognise; the ledger stays the
// truth, and the index is caught up from it after a crash.

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/sha256.h"

namespace falconer::store {

struct ActionKey {
  TenantId tenant;
  std::string scope;  // the workflow, as the caller scopes it
  Sha256Digest action_id{};

  friend bool operator==(const ActionKey&, const ActionKey&) = default;
};

enum class ActionState {
  kOpen,      // a turn was opened; never evicted
  kTerminal,  // the turn has ended; the record at `seq` is the answer to a duplicate
};

struct IndexedAction {
  ActionKey key;
  ActionState state = ActionState::kOpen;
  std::uint64_t seq = 0;  // of the record in the tenant's chain; a later record wins
  TurnId turn;

  friend bool operator==(const IndexedAction&, const IndexedAction&) = default;
};

// What one stretch of a chain says about actions.
struct ActionBatch {
  std::vector<IndexedAction> actions;
  // The chain was read up to this record: catching up starts behind it.
  std::string chain;
  std::uint64_t indexed_seq = 0;
};

}  // namespace falconer::store
