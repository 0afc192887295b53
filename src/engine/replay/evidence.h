#pragma once
// Evidence: what the ledger has about the turns of one name, gathered from a tenant's chain.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ledger/reader.h"

namespace falconer::engine {

struct EvidenceRecord {
  std::uint64_t seq = 0;
  std::int64_t wall_ms = 0;
  std::string hash;  // hex
  // Whether it names the hash of the record before it.
  bool is_linked = false;
  json::object payload;
};

// The records about one contract: those of a turn, or the one of a refusal.
struct TurnEvidence {
  std::optional<EvidenceRecord> opened;
  std::optional<EvidenceRecord> closed;
  std::optional<EvidenceRecord> refusal;
  std::optional<EvidenceRecord> view;
  // Records of a kind of which there was one already.
  std::vector<std::uint64_t> repeated;

  // The record that has the contract and the decisions; null when that is the one that is missing.
  const EvidenceRecord* asked() const;
  std::vector<const EvidenceRecord*> all() const;
};

// Snapshots by digest, only those whose content is what the digest says.
using SnapshotShelf = std::map<std::string, json::object, std::less<>>;

struct Evidence {
  std::string found_by;
  std::vector<TurnEvidence> turns;  // in the order of their first records
  SnapshotShelf snapshots;
  std::uint64_t next = 0;
};

struct EvidenceQuestion {
  std::string id;            // of a turn, a run, a workflow or an action
  std::uint64_t cursor = 1;  // the first record to look at
  std::size_t limit = 1000;  // most turns and refusals
};

// kNotFound when no record has the name, kInvalidArgument for an empty one; kLedgerDamaged,
// kIoError as the reader.
Result<Evidence> GatherEvidence(ledger::ChainReader& reader, const EvidenceQuestion& question);

}  // namespace falconer::engine
