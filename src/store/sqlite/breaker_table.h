#pragma once
// Circuits in SQLite. Every function runs inside the caller's transaction.

#include "store/breaker_store.h"
#include "store/sqlite/database.h"

namespace falconer::store {

// What a reader finds, without taking anything: nothing when a probe may be taken.
Result<std::optional<CircuitAnswer>> LookAtCircuit(Database& database,
                                                   const CircuitRequest& request, WallTime now);
// The same, and takes the probe.
Result<CircuitAnswer> EnterCircuit(Database& database, const CircuitRequest& request, WallTime now);
Result<CircuitState> NoteOutcome(Database& database, const CircuitNote& note, WallTime now);
Result<void> ReturnProbe(Database& database, const ProbeTicket& ticket);
Result<std::vector<ListedCircuit>> ListCircuits(Database& database, const CircuitQuery& query,
                                                WallTime now);
Result<std::uint64_t> ResetCircuits(Database& database, const CircuitKey& key);
Result<CircuitCounts> CountCircuits(Database& database, WallTime now);

}  // namespace falconer::store
