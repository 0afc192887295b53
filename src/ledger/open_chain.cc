#include "ledger/open_chain.h"

#include <fmt/format.h>
#include <system_error>

#include "base/file.h"
#include "base/hex.h"
#include "base/json/canonical_json.h"
#include "base/log.h"
#include "ledger/chain_file.h"

namespace falconer::ledger {

OpenChain::OpenChain(const OpenChainInput& input)
    : paths_(input.paths),
      tenant_(input.tenant),
      key_(input.key),
      clock_(input.clock),
      layer_(input.layer),
      options_(input.options) {
}

Result<std::unique_ptr<OpenChain>> OpenChain::Open(const OpenChainInput& input) {
  std::unique_ptr<OpenChain> chain(new OpenChain(input));
  TRY_ASSIGN(chain->checkpoints_,
             CheckpointLog::Open(input.paths.checkpoints(), input.tenant, input.key, input.layer));
  TRY(chain->Recover(input));
  return chain;
}

Result<void> OpenChain::Recover(const OpenChainInput& input) {
  RecoveryInput recovery{.tenant = tenant_,
                         .checkpoint = checkpoints_->last(),
                         .heads = input.heads,
                         .refused = input.refused,
                         .from = {},
                         .on_record = input.on_record};
  TRY_ASSIGN(const auto anchor, LoadAnchor());
  if (anchor) recovery.heads.push_back(*anchor);
  TRY_ASSIGN(RecoveredChain found, RecoverChain(paths_, recovery));
  state_ = std::move(found.state);
  if (found.torn) TRY(KeepTorn(*found.torn));
  if (!found.segment.empty()) {
    TRY_ASSIGN(segment_, SegmentLog::Open(found.segment, found.segment_bytes, found.index, layer_));
  }
  if (found.torn) TRY(RecordRecovery(*found.torn));
  return {};
}

Result<ChainChange> OpenChain::CatchUp(const std::function<void(const RecordView&)>& on_record) {
  const FileChange signs = checkpoints_->Look();
  const FileChange records = segment_ ? segment_->Look() : FileChange::kNone;
  const std::filesystem::path next = paths_.segment(state_.seq + 1);
  std::error_code ignored;
  const bool has_next = segment_path() != next && std::filesystem::exists(next, ignored);
  if (signs == FileChange::kNone && records == FileChange::kNone && !has_next) {
    return ChainChange::kNone;
  }
  if (!segment_ || signs == FileChange::kOther || records == FileChange::kOther) {
    return ChainChange::kUnclear;
  }
  TRY(ReadCheckpoints(signs));
  return ReadOn(on_record);
}

Result<void> OpenChain::ReadCheckpoints(FileChange change) {
  if (change == FileChange::kNone) return {};
  TRY(checkpoints_->ReadOn());
  // Whoever signs has read the whole chain first.
  if (checkpoints_->last()->size() >= state_.seq) return {};
  return Fail(ErrorCode::kLedgerDamaged,
              fmt::format("{}: a new checkpoint covers {} records, but there were {} before it",
                          paths_.checkpoints().string(), checkpoints_->last()->size(), state_.seq));
}

Result<ChainChange> OpenChain::ReadOn(const std::function<void(const RecordView&)>& on_record) {
  const RecoveryInput input{.tenant = tenant_,
                            .checkpoint = checkpoints_->last(),
                            .from = ChainPlace{state_, segment_->path(), segment_->size()},
                            .on_record = on_record};
  TRY_ASSIGN(RecoveredChain found, RecoverChain(paths_, input));
  if (found.torn) return ChainChange::kUnclear;
  if (found.segment == segment_->path()) {
    segment_->GoOnBehind(found.segment_bytes, found.index.size());
  } else {
    TRY_ASSIGN(segment_, SegmentLog::Open(found.segment, found.segment_bytes, found.index, layer_));
  }
  has_unsynced_ = true;
  state_ = std::move(found.state);
  return ChainChange::kMoved;
}

Result<void> OpenChain::SyncOthers() {
  if (has_unsynced_) TRY(segment_->Sync());
  has_unsynced_ = false;
  return {};
}

// The cut bytes are kept: they are no records, but somebody may want to know what they were.
Result<void> OpenChain::KeepTorn(const TornTail& torn) {
  TRY_ASSIGN(const std::string bytes, LoadSegment(torn.segment, torn.offset));
  const auto kept = paths_.folder / fmt::format("torn-{}-{}.bin", state_.seq + 1, WallMs());
  TRY(WriteFileAtomic(kept, bytes));
  LOG(warn, "ledger.torn_tail", {"segment", torn.segment.string()}, {"offset", torn.offset},
      {"bytes", torn.bytes}, {"why", torn.why});
  // A segment without a header has nothing worth going on with.
  if (torn.offset > 0) return {};
  std::error_code failed;
  std::filesystem::remove(torn.segment, failed);
  if (!failed) return {};
  return Fail(ErrorCode::kIoError,
              "cannot remove " + torn.segment.string() + ": " + failed.message());
}

Result<void> OpenChain::RecordRecovery(const TornTail& torn) {
  const json::object payload{{"what", "torn_tail"},
                             {"segment", torn.segment.filename().string()},
                             {"offset", torn.offset},
                             {"bytes", torn.bytes},
                             {"why", torn.why}};
  TRY_ASSIGN(std::string text, CanonicalJson(payload));
  const PreparedRecord record{RecordKind::kRecovery, std::move(text)};
  TRY(Append(std::span(&record, 1)));
  return {};
}

Result<std::vector<Receipt>> OpenChain::Append(std::span<const PreparedRecord> records) {
  TRY(MakeRoom());
  std::string bytes;
  std::vector<IndexEntry> entries;
  std::vector<Receipt> receipts;
  RecordFields fields{.seq = state_.seq, .wall_ms = WallMs(), .previous = state_.head};
  for (const PreparedRecord& record : records) {
    fields.kind = record.kind;
    fields.payload = record.payload;
    ++fields.seq;
    const std::uint64_t offset = segment_->size() + bytes.size();
    fields.previous = AppendRecord(hasher_, fields, bytes);
    entries.push_back({offset, fields.previous});
    receipts.push_back({fields.seq, fields.previous, fields.wall_ms});
  }
  if (Result<void> written = segment_->Append(bytes, entries); !written) {
    if (segment_->is_broken()) refused_ = std::move(bytes);
    return Fail(std::move(written).error());
  }
  has_unsynced_ = false;
  state_.seq = fields.seq;
  state_.head = fields.previous;
  for (const IndexEntry& entry : entries) state_.tree.Append(hasher_, entry.hash);
  return receipts;
}

Result<void> OpenChain::MakeRoom() {
  if (segment_ && segment_->size() < options_.segment_bytes) return {};
  // A segment is only begun once the one before it is durable as a whole.
  TRY(SyncOthers());
  const SegmentHeader header{tenant_, state_.seq + 1, state_.head};
  TRY_ASSIGN(auto fresh, SegmentLog::Create(paths_.segment(header.first_seq), header, layer_));
  segment_ = std::move(fresh);
  return {};
}

Result<Checkpoint> OpenChain::AddCheckpoint() {
  if (records_since_checkpoint() > 0) {
    TRY(SyncOthers());
    TRY(checkpoints_->Add(state_.tree, state_.head, WallMs()));
    if (!options_.anchor_folder.empty()) {
      TRY(WriteFileAtomic(AnchorPath(), checkpoints_->last()->ToText()));
    }
  }
  if (checkpoints_->last()) return *checkpoints_->last();
  return Fail(ErrorCode::kNotFound, "the chain has no records yet");
}

std::uint64_t OpenChain::records_since_checkpoint() const {
  return state_.seq - (checkpoints_->last() ? checkpoints_->last()->size() : 0);
}

bool OpenChain::is_broken() const {
  return checkpoints_->is_broken() || (segment_ && segment_->is_broken());
}

std::int64_t OpenChain::WallMs() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(clock_.WallNow().time_since_epoch())
      .count();
}

std::filesystem::path OpenChain::AnchorPath() const {
  return options_.anchor_folder / (FolderNameOf(tenant_) + ".checkpoint");
}

Result<std::optional<KnownHead>> OpenChain::LoadAnchor() const {
  if (options_.anchor_folder.empty()) return std::optional<KnownHead>();
  const auto text = ReadChainFile(AnchorPath());
  if (!text && text.error().code() == ErrorCode::kNotFound) return std::optional<KnownHead>();
  if (!text) return Fail(text.error());
  TRY_ASSIGN(const Checkpoint anchor, ParseCheckpoint(*text));
  if (anchor.tenant != tenant_ || !IsSignedByOneOf(anchor, std::span(&key_.public_key(), 1))) {
    return Fail(ErrorCode::kLedgerDamaged,
                AnchorPath().string() + " is no checkpoint of this chain signed by its key");
  }
  return KnownHead{anchor.size(), anchor.head};
}

}  // namespace falconer::ledger
