#pragma once
// OpenChain: a chain that is open for writing: its newest record, its segment, its checkpoints.
// Everything blocks; it belongs to the thread of a ChainWriter.

#include <filesystem>
#include <memory>
#include <optional>

#include "base/async/clock.h"
#include "ledger/chain_recovery.h"
#include "ledger/checkpoint_log.h"
#include "ledger/record.h"
#include "ledger/segment_log.h"

namespace falconer::ledger {

struct ChainOptions {
  // A segment that has grown to this size is closed.
  std::uint64_t segment_bytes = 64U << 20U;
  // A checkpoint is signed after this many records or this long after the first record it will
  // cover, whichever is first, and when the chain is closed.
  std::uint64_t checkpoint_records = 1000;
  std::chrono::milliseconds checkpoint_interval = std::chrono::seconds(10);
  // Appends that may wait, and how many of them share a commit.
  std::size_t queue_bound = 8192;
  std::size_t batch_records = 1024;
  std::size_t batch_bytes = 8U << 20U;
  // How long a commit waits for other processes that write the chain.
  std::chrono::milliseconds lock_patience = std::chrono::seconds(10);
  // A folder outside of the data folder that gets a copy of each newest checkpoint, best on another
  // machine; empty for none.
  std::filesystem::path anchor_folder;
};

// What a caller has in its hands once a record is durable.
struct Receipt {
  std::uint64_t seq = 0;
  Sha256Digest hash{};
  std::int64_t wall_ms = 0;
};

// A payload that is scrubbed and canonical.
struct PreparedRecord {
  RecordKind kind = RecordKind::kDecision;
  std::string payload;
};

struct OpenChainInput {
  ChainPaths paths;
  TenantId tenant;
  const SigningKey& key;
  Clock& clock;
  FileLayer& layer;
  const ChainOptions& options;
  std::vector<KnownHead> heads;
  // See RecoveryInput.
  std::string refused;
  std::function<void(const RecordView&)> on_record;
};

// What other processes did to a chain that is open.
enum class ChainChange {
  kNone,
  kMoved,    // they went on with it, and so does this process now
  kUnclear,  // the chain must be opened anew to know
};

class OpenChain {
 public:
  // Checks the end of the chain and cuts off what a crash left; the cut is kept beside the segments
  // and recorded. kLedgerDamaged, kIoError. What `input` refers to MUST outlive the chain.
  static Result<std::unique_ptr<OpenChain>> Open(const OpenChainInput& input);

  // Takes up what others appended and signed since the last call, checking it. Without a change
  // this costs no more than looking at three names. kLedgerDamaged, kIoError.
  Result<ChainChange> CatchUp(const std::function<void(const RecordView&)>& on_record);
  // Writes the records and waits for the disk: all or none. kIoError.
  Result<std::vector<Receipt>> Append(std::span<const PreparedRecord> records);
  // Signs a checkpoint, unless the last one covers everything, and copies it to the anchor.
  Result<Checkpoint> AddCheckpoint();

  const ChainState& state() const { return state_; }
  std::uint64_t records_since_checkpoint() const;
  // A sync failed: what is on disk is unknown, and the chain must be opened anew.
  bool is_broken() const;
  // The bytes of the commit that broke the chain.
  std::string TakeRefused() { return std::move(refused_); }
  std::filesystem::path segment_path() const { return segment_ ? segment_->path() : ""; }

 private:
  explicit OpenChain(const OpenChainInput& input);
  Result<void> Recover(const OpenChainInput& input);
  Result<void> ReadCheckpoints(FileChange change);
  Result<ChainChange> ReadOn(const std::function<void(const RecordView&)>& on_record);
  // What others wrote is on disk before anything of ours hangs on it.
  Result<void> SyncOthers();
  Result<void> KeepTorn(const TornTail& torn);
  Result<void> RecordRecovery(const TornTail& torn);
  // Begins the first segment, or the next one when this one is full.
  Result<void> MakeRoom();
  std::int64_t WallMs() const;
  std::filesystem::path AnchorPath() const;
  Result<std::optional<KnownHead>> LoadAnchor() const;

  ChainPaths paths_;
  TenantId tenant_;
  const SigningKey& key_;
  Clock& clock_;
  FileLayer& layer_;
  const ChainOptions& options_;
  Hasher hasher_;
  ChainState state_;
  std::unique_ptr<CheckpointLog> checkpoints_;
  std::unique_ptr<SegmentLog> segment_;
  bool has_unsynced_ = false;  // of others
  std::string refused_;
};

}  // namespace falconer::ledger
