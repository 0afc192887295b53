#include "ledger/checkpoint_log.h"

#include "ledger/chain_file.h"
#include "ledger/segment.h"

namespace falconer::ledger {
namespace {

Result<Checkpoint> ReadLast(std::string_view text, const TenantId& tenant, const PublicKey& key) {
  TRY_ASSIGN(Checkpoint last, ParseCheckpoint(text));
  if (last.tenant != tenant) {
    return Fail(ErrorCode::kLedgerDamaged, "the last checkpoint is of another tenant");
  }
  if (!IsSignedByOneOf(last, std::span(&key, 1))) {
    return Fail(ErrorCode::kLedgerDamaged, "the last checkpoint is not signed by key " + key.id() +
                                               " but names key " + last.key_id);
  }
  return last;
}

}  // namespace

Result<std::unique_ptr<CheckpointLog>> CheckpointLog::Open(const std::filesystem::path& path,
                                                           const TenantId& tenant,
                                                           const SigningKey& key,
                                                           FileLayer& layer) {
  auto content = ReadChainFile(path);
  if (!content && content.error().code() != ErrorCode::kNotFound) {
    return Fail(std::move(content).error());
  }
  const std::string text = content.value_or("");
  const CheckpointTexts split = SplitCheckpoints(text);
  std::unique_ptr<CheckpointLog> log(new CheckpointLog(tenant, key));
  if (!split.texts.empty()) {
    auto last = ReadLast(split.texts.back(), tenant, key.public_key());
    if (!last) return Fail(std::move(last).error().In(path.string()));
    log->last_ = *std::move(last);
  }
  TRY_ASSIGN(log->file_, LogFile::Open(path, text.size() - split.torn.size(), layer));
  return log;
}

Result<void> CheckpointLog::Add(MerklePeaks tree, const Sha256Digest& head, std::int64_t wall_ms) {
  Checkpoint checkpoint{
      .tenant = tenant_, .tree = std::move(tree), .head = head, .wall_ms = wall_ms};
  if (last_) checkpoint.previous = last_->TextHash();
  checkpoint = Sign(std::move(checkpoint), key_);
  TRY(file_->Append(checkpoint.ToText()));
  last_ = std::move(checkpoint);
  return {};
}

Result<void> CheckpointLog::ReadOn() {
  TRY_ASSIGN(const std::string text, LoadSegment(file_->path(), file_->size()));
  const CheckpointTexts split = SplitCheckpoints(text);
  for (const std::string_view one : split.texts) {
    if (Result<void> taken = TakeUp(one); !taken) {
      return Fail(std::move(taken).error().In(file_->path().string()));
    }
  }
  if (split.torn.empty()) return {};
  return Fail(ErrorCode::kIoError, file_->path().string() + " ends in the middle of a checkpoint");
}

Result<void> CheckpointLog::TakeUp(std::string_view text) {
  TRY_ASSIGN(Checkpoint next, ReadLast(text, tenant_, key_.public_key()));
  const Sha256Digest wanted = last_ ? last_->TextHash() : Sha256Digest{};
  if (next.previous != wanted || (last_ && next.size() <= last_->size())) {
    return Fail(ErrorCode::kLedgerDamaged, "a checkpoint does not follow the one before it");
  }
  last_ = std::move(next);
  file_->GoOnBehind(file_->size() + text.size());
  return {};
}

}  // namespace falconer::ledger
