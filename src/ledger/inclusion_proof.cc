#include "ledger/inclusion_proof.h"

#include <fmt/format.h>

#include "base/hex.h"
#include "ledger/chain_file.h"
#include "ledger/chain_paths.h"
#include "ledger/reader.h"

namespace falconer::ledger {
namespace {

Result<Checkpoint> NewestCheckpoint(const std::filesystem::path& folder,
                                    std::span<const PublicKey> keys) {
  TRY_ASSIGN(const std::string text, ReadChainFile(ChainPaths{folder}.checkpoints()));
  const CheckpointTexts split = SplitCheckpoints(text);
  if (split.texts.empty()) return Fail(ErrorCode::kNotFound, "the chain has no checkpoint yet");
  TRY_ASSIGN(Checkpoint newest, ParseCheckpoint(split.texts.back()));
  if (IsSignedByOneOf(newest, keys)) return newest;
  return Fail(ErrorCode::kLedgerDamaged, "no given key signed the newest checkpoint");
}

std::span<const std::uint8_t> Bytes(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

json::object InclusionProof::ToJson() const {
  json::array hashes;
  for (const Sha256Digest& hash : path) hashes.emplace_back(ToHex(hash));
  return {{"seq", seq},
          {"record", ToHex(Bytes(record))},
          {"record_hash", ToHex(Bytes(record).last(sizeof(Sha256Digest)))},
          {"tree_size", checkpoint.size()},
          {"root", ToHex(checkpoint.root)},
          {"proof", std::move(hashes)},
          {"checkpoint", checkpoint.ToText()}};
}

Result<InclusionProof> ProveRecord(const std::filesystem::path& folder,
                                   const std::filesystem::path& archive, std::uint64_t seq,
                                   std::span<const PublicKey> keys) {
  TRY_ASSIGN(Checkpoint checkpoint, NewestCheckpoint(folder, keys));
  TRY_ASSIGN(ChainReader reader, ChainReader::Open(folder, archive));
  TRY_ASSIGN(const StoredRecord record, reader.At(seq));
  if (seq > checkpoint.size()) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("record {} is not signed yet: the newest checkpoint covers {} records",
                            seq, checkpoint.size()));
  }
  Hasher hasher;
  const auto leaves = [&](std::uint64_t index) { return reader.HashOf(index + 1); };
  TRY_ASSIGN(MerkleProof path, ProveInclusion(hasher, leaves, seq - 1, checkpoint.size()));
  if (!IsIncluded(record.view().hash, seq - 1, checkpoint.size(), path, checkpoint.root)) {
    return Fail(ErrorCode::kLedgerDamaged,
                fmt::format("record {} is not under the signed root: verify the chain", seq));
  }
  return InclusionProof{seq, record.bytes(), std::move(path), std::move(checkpoint)};
}

}  // namespace falconer::ledger
