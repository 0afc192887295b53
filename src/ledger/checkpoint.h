#pragma once
// A checkpoint: the signed statement that a chain had so many records, with this root and this last
// record. Whoever holds one can prove later that the chain was changed, cut or forked since.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/ids.h"
#include "ledger/merkle.h"
#include "ledger/signing_key.h"

namespace falconer::ledger {

struct Checkpoint {
  TenantId tenant;
  MerklePeaks tree;
  Sha256Digest root{};
  Sha256Digest head{};  // the hash of record `size`
  std::int64_t wall_ms = 0;
  std::string key_id;
  Sha256Digest previous{};  // of the signed text of the checkpoint before, zero for the first
  Signature signature{};

  std::uint64_t size() const { return tree.size(); }
  // The lines that are signed.
  std::string SignedText() const;
  // All lines, with the signature and the empty line behind it.
  std::string ToText() const;
  // What the next checkpoint has as `previous`.
  Sha256Digest TextHash() const { return Sha256Of(SignedText()); }
};

// Fills in root, key and signature.
Checkpoint Sign(Checkpoint checkpoint, const SigningKey& key);

// Reads one checkpoint. Only what ToText() writes is accepted, byte for byte, and only a root that
// the peaks have. kLedgerDamaged otherwise. The signature is not looked at.
Result<Checkpoint> ParseCheckpoint(std::string_view text);

// True when one of the keys made the signature and is the one that the checkpoint names.
bool IsSignedByOneOf(const Checkpoint& checkpoint, std::span<const PublicKey> keys);

// The texts of a file of checkpoints, each with its empty line; `torn` is what follows the last
// complete one.
struct CheckpointTexts {
  std::vector<std::string_view> texts;
  std::string_view torn;
};
CheckpointTexts SplitCheckpoints(std::string_view file);

}  // namespace falconer::ledger
