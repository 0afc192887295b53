#pragma once
// Archiving: moves closed segments out of a chain's folder. A signed manifest says which records
// went, so that their absence is not taken for a loss; given the archive, verification still
// covers everything.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "ledger/chain_paths.h"
#include "ledger/reader.h"
#include "ledger/signing_key.h"

namespace falconer::ledger {

struct ArchivedSegment {
  std::string file;
  std::uint64_t first_seq = 0;
  std::uint64_t last_seq = 0;
  std::uint64_t bytes = 0;
  std::string sha256;
  // Where it went, as an absolute path; empty when that is not known.
  std::filesystem::path folder;
};

// Moves every segment that a checkpoint covers and that is not needed to open the chain into
// `archive`, which is made when missing. Each copy is on disk and read back before the original
// goes. Returns what went; nothing to do is an empty list. kNotFound, kIoError, kLedgerDamaged.
Result<std::vector<ArchivedSegment>> ArchiveChain(const ChainPaths& paths, const SigningKey& key,
                                                  const std::filesystem::path& archive);

// What the signed manifest in a chain's folder says was archived; nothing without a manifest.
// kLedgerDamaged when it is not signed by one of the keys.
Result<std::vector<ArchivedSegment>> ListArchived(const std::filesystem::path& folder,
                                                  std::span<const PublicKey> keys);

// Up to which record the signed manifest in a chain's folder says that segments were archived.
// kNotFound without a manifest, kLedgerDamaged when it is not signed by one of the keys.
Result<std::uint64_t> ArchivedUpTo(const std::filesystem::path& folder,
                                   std::span<const PublicKey> keys);

// A record of a chain: from the chain's folder, or from where it was archived to. kNotFound for one
// that was never written; kRecordArchived, with seq, file and archive in the details, when the
// archive cannot be read from here; kLedgerDamaged when it is missing though nobody archived it, or
// when the archive no longer holds what was put there.
Result<StoredRecord> FindRecord(const std::filesystem::path& folder, std::uint64_t seq,
                                std::span<const PublicKey> keys);

}  // namespace falconer::ledger
