#pragma once
// The checkpoints of a chain, checked by themselves, and what they and others promise about the
// records: the verifier holds the records against it.

#include "ledger/verifier.h"

namespace falconer::ledger {

// What a chain of at least `size` records must look like.
struct Promise {
  std::uint64_t size = 0;
  Sha256Digest root{};
  Sha256Digest head{};
  std::optional<MerklePeaks> tree;  // of the chain's own checkpoints
  std::string source;
  FindingKind broken = FindingKind::kFork;       // what it is when the records differ
  FindingKind missing = FindingKind::kRollback;  // and when there are fewer
};

// Whether somebody writes the chain while it is looked at: its ends may be half-written then.
enum class ChainUse { kAtRest, kBeingWritten };

struct CheckpointAudit {
  std::vector<Promise> promises;  // by size
  std::vector<Finding> findings;
  std::uint64_t count = 0;  // of the chain's own checkpoints
};

// kIoError.
Result<CheckpointAudit> AuditCheckpoints(const VerifyInput& input, ChainUse use);

}  // namespace falconer::ledger
