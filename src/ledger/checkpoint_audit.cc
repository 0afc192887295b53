#include "ledger/checkpoint_audit.h"

#include <algorithm>

#include "ledger/chain_file.h"
#include "ledger/chain_paths.h"

namespace falconer::ledger {
namespace {

class Audit {
 public:
  Audit(const VerifyInput& input, ChainUse use) : input_(input), use_(use) {}

  Result<CheckpointAudit> Run();

 private:
  void ReadOwn(std::string_view text);
  void ReadOne(std::string_view text, std::uint64_t number);
  // Signed by a key that counts, and about this chain.
  bool IsGood(const Checkpoint& checkpoint, const std::string& file);
  void CheckOrder(const Checkpoint& checkpoint);
  void AddWitnesses();
  void AddHead();
  void Add(FindingKind kind, std::uint64_t seq, const std::string& file, std::string detail) {
    out_.findings.push_back({kind, seq, file, 0, std::move(detail)});
  }

  const VerifyInput& input_;
  ChainUse use_;
  std::string file_;
  std::optional<Checkpoint> last_;
  CheckpointAudit out_;
};

Result<CheckpointAudit> Audit::Run() {
  const auto path = ChainPaths{input_.folder}.checkpoints();
  file_ = path.string();
  const auto text = ReadChainFile(path);
  if (text) {
    ReadOwn(*text);
  } else if (text.error().code() == ErrorCode::kLedgerDamaged) {
    Add(FindingKind::kBadFraming, 0, file_, std::string(text.error().message()));
  } else if (text.error().code() != ErrorCode::kNotFound) {
    return Fail(text.error());
  }
  AddWitnesses();
  AddHead();
  std::ranges::sort(out_.promises, {}, &Promise::size);
  return std::move(out_);
}

void Audit::ReadOwn(std::string_view text) {
  const CheckpointTexts split = SplitCheckpoints(text);
  for (const std::string_view one : split.texts) ReadOne(one, ++out_.count);
  if (!split.torn.empty() && use_ == ChainUse::kAtRest) {
    Add(FindingKind::kBadFraming, 0, file_, "the last checkpoint is incomplete");
  }
}

void Audit::ReadOne(std::string_view text, std::uint64_t number) {
  Result<Checkpoint> checkpoint = ParseCheckpoint(text);
  if (!checkpoint) {
    Add(FindingKind::kRecordSignatureMismatch, 0, file_,
        "checkpoint " + std::to_string(number) + ": " + checkpoint.error().message());
    last_.reset();
    return;
  }
  if (!IsGood(*checkpoint, file_)) return;
  CheckOrder(*checkpoint);
  out_.promises.push_back({.size = checkpoint->size(),
                           .root = checkpoint->root,
                           .head = checkpoint->head,
                           .tree = checkpoint->tree,
                           .source = file_,
                           .broken = FindingKind::kRecordSignatureMismatch,
                           .missing = FindingKind::kTruncated});
  last_ = *std::move(checkpoint);
}

bool Audit::IsGood(const Checkpoint& checkpoint, const std::string& file) {
  if (!IsSignedByOneOf(checkpoint, input_.keys)) {
    Add(FindingKind::kRecordSignatureMismatch, checkpoint.size(), file,
        "no given key made the signature; the checkpoint names key " + checkpoint.key_id);
    return false;
  }
  if (input_.tenant && checkpoint.tenant != *input_.tenant) {
    Add(FindingKind::kWrongTenant, checkpoint.size(), file,
        "the checkpoint is of tenant " + checkpoint.tenant.value());
    return false;
  }
  return true;
}

// Each names the one before it: one that was taken out or moved shows.
void Audit::CheckOrder(const Checkpoint& checkpoint) {
  const Sha256Digest wanted = last_ ? last_->TextHash() : Sha256Digest{};
  const bool is_first_or_known = last_ || out_.count == 1;
  if (is_first_or_known && checkpoint.previous != wanted) {
    Add(FindingKind::kRecordSignatureMismatch, checkpoint.size(), file_,
        "the checkpoint does not follow the one before it");
  }
  if (!last_ || checkpoint.size() > last_->size()) return;
  const bool is_fork = checkpoint.size() == last_->size() && checkpoint.root != last_->root;
  Add(is_fork ? FindingKind::kFork : FindingKind::kRecordSignatureMismatch, checkpoint.size(),
      file_, is_fork ? "two signed roots for one size" : "the checkpoint goes back");
}

void Audit::AddWitnesses() {
  for (const Checkpoint& witness : input_.witnesses) {
    if (!IsGood(witness, "witness")) continue;
    out_.promises.push_back({.size = witness.size(),
                             .root = witness.root,
                             .head = witness.head,
                             .source = "a checkpoint kept by the auditor"});
  }
  if (!input_.since) return;
  const Checkpoint& since = *input_.since;
  if (!IsGood(since, "since")) return;
  out_.promises.push_back({.size = since.size(),
                           .root = since.root,
                           .head = since.head,
                           .source = "the trusted checkpoint"});
}

void Audit::AddHead() {
  if (!input_.head) return;
  out_.promises.push_back({.size = input_.head->seq,
                           .root = input_.head->tree_root,
                           .head = input_.head->record_hash,
                           .source = "the control store"});
}

}  // namespace

Result<CheckpointAudit> AuditCheckpoints(const VerifyInput& input, ChainUse use) {
  return Audit(input, use).Run();
}

}  // namespace falconer::ledger
