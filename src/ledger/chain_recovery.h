#pragma once
// Reading a chain's end before it is written: from the last signed checkpoint on when it is opened,
// from where this process knows it when others went on with it; every record is checked. What a
// crash left half-written behind the last record known to be durable is reported as torn; anything
// wrong before that is damage and is never cut.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "ledger/chain_paths.h"
#include "ledger/checkpoint.h"
#include "ledger/record.h"
#include "ledger/record_index.h"

namespace falconer::ledger {

struct ChainState {
  std::uint64_t seq = 0;
  Sha256Digest head{};
  MerklePeaks tree;
};

// A record that somebody remembers as durable.
struct KnownHead {
  std::uint64_t seq = 0;
  Sha256Digest hash{};
};

// The end of a segment that is no record.
struct TornTail {
  std::filesystem::path segment;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::string why;
};

struct RecoveredChain {
  ChainState state;
  // Where the next record goes; empty when there is no segment yet.
  std::filesystem::path segment;
  std::uint64_t segment_bytes = 0;
  // The records of the segment; those that were read, when reading went on in the middle of it.
  std::vector<IndexEntry> index;
  std::optional<TornTail> torn;
};

// A place that this process has read up to.
struct ChainPlace {
  ChainState state;
  std::filesystem::path segment;
  std::uint64_t segment_bytes = 0;
};

struct RecoveryInput {
  TenantId tenant;
  std::optional<Checkpoint> checkpoint;  // the last one; its signature was checked
  std::vector<KnownHead> heads;
  // The bytes of a commit that failed. If they, or a beginning of them, are all there is behind the
  // last of `heads`, they are cut even if they read well: their callers were refused. If somebody
  // else went on behind them they have to stay.
  std::string refused;
  // Go on from here instead of from the checkpoint.
  std::optional<ChainPlace> from;
  // Told every record that is read. May be empty.
  std::function<void(const RecordView&)> on_record;
};

// kLedgerDamaged with details segment, offset and seq; kIoError.
Result<RecoveredChain> RecoverChain(const ChainPaths& paths, const RecoveryInput& input);

}  // namespace falconer::ledger
