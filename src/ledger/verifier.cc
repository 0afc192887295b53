#include "ledger/verifier.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/hex.h"
#include "base/json/json_reader.h"
#include "ledger/archive.h"
#include "ledger/chain_lock.h"
#include "ledger/chain_paths.h"
#include "ledger/checkpoint_audit.h"
#include "ledger/record.h"
#include "ledger/segment.h"

namespace falconer::ledger {
namespace {

constexpr EnumName<FindingKind> kNames[] = {
    {FindingKind::kBadFraming, "bad_framing"},
    {FindingKind::kRecordHashMismatch, "record_hash_mismatch"},
    {FindingKind::kChainLinkMismatch, "chain_link_mismatch"},
    {FindingKind::kRecordSignatureMismatch, "record_signature_mismatch"},
    {FindingKind::kTruncated, "truncated"},
    {FindingKind::kFork, "fork"},
    {FindingKind::kRollback, "rollback"},
    {FindingKind::kMissingSegment, "missing_segment"},
    {FindingKind::kWrongTenant, "wrong_tenant"},
    {FindingKind::kUnsigned, "unsigned"},
};

class Verification {
 public:
  explicit Verification(const VerifyInput& input) : input_(input) {}

  Result<VerifyReport> Run();

 private:
  Result<void> CollectPromises();
  Result<void> CollectSegments();
  void Start();
  void StartAt(const Checkpoint& trusted);
  void StartBehindArchive(std::uint64_t first_seq);
  Result<void> WalkSegment(std::size_t at);
  bool EnterSegment(const SegmentFile& segment, const SegmentHeader& header);
  // A segment of which nothing can be read.
  void Skip(const SegmentFile& segment, std::string_view why);
  void WalkRecords(const SegmentFile& segment, SegmentRole role, std::string_view content,
                   std::uint64_t offset);
  // What somebody may just be writing.
  bool IsUnfinished(SegmentRole role) const {
    return role == SegmentRole::kLast && use_ == ChainUse::kBeingWritten;
  }
  void TakeRecord(const SegmentFile& segment, const RecordView& record, std::uint64_t offset);
  bool IsBehindStart(std::uint64_t seq) const {
    return input_.since && seq <= input_.since->size();
  }
  void CompareWithPromises();
  void Finish();
  void Add(Finding finding);

  const VerifyInput& input_;
  VerifyReport report_;
  std::vector<Promise> promises_;
  std::size_t next_promise_ = 0;
  std::vector<SegmentFile> segments_;
  ChainUse use_ = ChainUse::kAtRest;
  Hasher hasher_;
  std::uint64_t seq_ = 0;  // of the last record read
  Sha256Digest head_{};
  bool knows_head_ = false;          // the next record's link can be checked
  std::optional<MerklePeaks> tree_;  // unset after a gap, until a checkpoint gives it back
};

Result<VerifyReport> Verification::Run() {
  if (ChainLock::IsTaken(ChainPaths{input_.folder}.lock())) use_ = ChainUse::kBeingWritten;
  // Before the segments: a chain that is being written only grows.
  TRY(CollectPromises());
  TRY(CollectSegments());
  Start();
  for (std::size_t i = 0; i < segments_.size(); ++i) TRY(WalkSegment(i));
  Finish();
  return std::move(report_);
}

void Verification::Add(Finding finding) {
  if (report_.findings.size() < input_.max_findings) report_.findings.push_back(std::move(finding));
}

Result<void> Verification::CollectPromises() {
  TRY_ASSIGN(CheckpointAudit audit, AuditCheckpoints(input_, use_));
  for (Finding& finding : audit.findings) Add(std::move(finding));
  promises_ = std::move(audit.promises);
  report_.checkpoints = audit.count;
  return {};
}

// A segment that is in both places was being archived: either copy will do.
Result<void> Verification::CollectSegments() {
  TRY_ASSIGN(segments_, ListSegments(input_.folder));
  if (!input_.archive.empty()) {
    TRY_ASSIGN(const std::vector<SegmentFile> archived, ListSegments(input_.archive));
    segments_.insert(segments_.end(), archived.begin(), archived.end());
  }
  std::ranges::sort(segments_, {}, &SegmentFile::first_seq);
  const auto same = [](const SegmentFile& a, const SegmentFile& b) {
    return a.first_seq == b.first_seq;
  };
  segments_.erase(std::unique(segments_.begin(), segments_.end(), same), segments_.end());
  return {};
}

void Verification::Start() {
  tree_.emplace();
  if (input_.since) return StartAt(*input_.since);
  if (segments_.empty()) return;
  if (segments_.front().first_seq > 1) return StartBehindArchive(segments_.front().first_seq);
  knows_head_ = true;
  if (input_.tenant) head_ = GenesisHash(*input_.tenant);
}

// The segment that holds the trusted checkpoint's last record is the first that matters.
void Verification::StartAt(const Checkpoint& trusted) {
  tree_ = trusted.tree;
  const auto after =
      std::ranges::upper_bound(segments_, trusted.size(), {}, &SegmentFile::first_seq);
  if (after != segments_.begin()) segments_.erase(segments_.begin(), after - 1);
  if (segments_.empty()) return;
  const std::uint64_t first = segments_.front().first_seq;
  if (first > trusted.size() + 1) {
    Add({FindingKind::kMissingSegment, trusted.size() + 1, segments_.front().path.string(), 0,
         "the segment behind the trusted checkpoint is missing"});
    tree_.reset();
  }
  seq_ = first - 1;
}

void Verification::StartBehindArchive(std::uint64_t first_seq) {
  tree_.reset();
  seq_ = first_seq - 1;
  const Result<std::uint64_t> archived = ArchivedUpTo(input_.folder, input_.keys);
  if (archived && *archived + 1 == first_seq && input_.archive.empty()) return;
  Add({FindingKind::kMissingSegment, 1, segments_.front().path.string(), 0,
       fmt::format("records 1 to {} are not there{}", first_seq - 1,
                   archived ? "" : ": " + archived.error().message())});
}

Result<void> Verification::WalkSegment(std::size_t at) {
  const SegmentFile& segment = segments_[at];
  const SegmentRole role = at + 1 == segments_.size() ? SegmentRole::kLast : SegmentRole::kEarlier;
  const Result<std::string> content = LoadSegment(segment.path);
  if (!content && content.error().code() != ErrorCode::kLedgerDamaged) return Fail(content.error());
  if (!content) {
    Skip(segment, content.error().message());
    return {};
  }
  const auto parsed = ParseSegmentHeader(*content);
  if (!parsed && IsUnfinished(role)) return {};
  if (!parsed) {
    Skip(segment, parsed.error().message());
  } else if (EnterSegment(segment, parsed->header)) {
    WalkRecords(segment, role, *content, parsed->bytes);
  }
  return {};
}

void Verification::Skip(const SegmentFile& segment, std::string_view why) {
  Add({FindingKind::kBadFraming, segment.first_seq, segment.path.string(), 0, std::string(why)});
  knows_head_ = false;
  tree_.reset();
}

bool Verification::EnterSegment(const SegmentFile& segment, const SegmentHeader& header) {
  const std::string file = segment.path.string();
  if (report_.tenant.empty()) report_.tenant = header.tenant;
  const TenantId& wanted = input_.tenant ? *input_.tenant : report_.tenant;
  if (header.tenant != wanted) {
    Add({FindingKind::kWrongTenant, segment.first_seq, file, 0,
         "the segment is of tenant " + header.tenant.value()});
    return false;
  }
  if (seq_ == 0 && knows_head_ && !input_.tenant) head_ = GenesisHash(header.tenant);
  if (header.first_seq != segment.first_seq) {
    Add({FindingKind::kBadFraming, segment.first_seq, file, 0, "name and header disagree"});
  }
  if (header.first_seq != seq_ + 1) {
    Add({FindingKind::kMissingSegment, seq_ + 1, file, 0,
         fmt::format("the segment begins at {}", header.first_seq)});
    tree_.reset();
    knows_head_ = false;
    seq_ = header.first_seq - 1;
  }
  if (knows_head_ && header.previous != head_) {
    Add({FindingKind::kChainLinkMismatch, header.first_seq, file, 0,
         "the segment does not continue the record before it"});
  }
  head_ = header.previous;
  knows_head_ = true;
  return true;
}

void Verification::WalkRecords(const SegmentFile& segment, SegmentRole role,
                               std::string_view content, std::uint64_t offset) {
  while (offset < content.size()) {
    const auto record = ReadRecord(content.substr(offset));
    if (!record) {
      if (IsUnfinished(role) && record.error() == FrameFault::kIncomplete) return;
      Add({FindingKind::kBadFraming, seq_ + 1, segment.path.string(), offset,
           std::string(FrameFaultText(record.error()))});
      // Where the next record begins is unknown: only the next segment's header says.
      knows_head_ = false;
      tree_.reset();
      return;
    }
    TakeRecord(segment, *record, offset);
    offset += record->bytes.size();
  }
}

void Verification::TakeRecord(const SegmentFile& segment, const RecordView& record,
                              std::uint64_t offset) {
  const auto report = [&](FindingKind kind, std::string detail) {
    Add({kind, seq_ + 1, segment.path.string(), offset, std::move(detail)});
  };
  if (!record.HasRightHash(hasher_)) {
    report(FindingKind::kRecordHashMismatch, "the record is not the one that was written");
  } else if (record.fields.seq != seq_ + 1) {
    report(FindingKind::kChainLinkMismatch,
           fmt::format("record {} stands in its place", record.fields.seq));
  } else if (knows_head_ && record.fields.previous != head_) {
    report(FindingKind::kChainLinkMismatch, "it does not follow the record before it");
  }
  ++seq_;
  head_ = record.hash;
  knows_head_ = true;
  if (report_.first_seq == 0 && !IsBehindStart(seq_)) report_.first_seq = seq_;
  if (!IsBehindStart(seq_)) {
    ++report_.records;
    if (tree_) tree_->Append(hasher_, head_);
  }
  CompareWithPromises();
}

void Verification::CompareWithPromises() {
  for (; next_promise_ < promises_.size() && promises_[next_promise_].size <= seq_;
       ++next_promise_) {
    const Promise& promise = promises_[next_promise_];
    if (promise.size < seq_) continue;  // before the first record that is there
    const bool has_tree = tree_ && tree_->size() == seq_;
    const bool holds = promise.head == head_ && (!has_tree || tree_->Root(hasher_) == promise.root);
    if (!holds) {
      Add({promise.broken, promise.size, promise.source, 0,
           "the records up to here are not those that were promised"});
      continue;
    }
    if (promise.tree) report_.signed_size = promise.size;
    if (!tree_ && promise.tree) tree_ = promise.tree;
  }
}

void Verification::Finish() {
  report_.last_seq = seq_;
  report_.head = head_;
  if (tree_ && tree_->size() == seq_) report_.root = tree_->Root(hasher_);
  for (; next_promise_ < promises_.size(); ++next_promise_) {
    const Promise& promise = promises_[next_promise_];
    Add({promise.missing, promise.size, promise.source, 0,
         fmt::format("{} records were promised, {} are there", promise.size, seq_)});
  }
  const bool is_strict =
      input_.unsigned_tail == UnsignedTail::kFinding && use_ == ChainUse::kAtRest;
  const std::uint64_t trusted = input_.since ? input_.since->size() : 0;
  if (is_strict && seq_ > std::max(report_.signed_size, trusted)) {
    Add({FindingKind::kUnsigned, std::max(report_.signed_size, trusted) + 1, input_.folder.string(),
         0,
         fmt::format("no checkpoint that holds covers records {} to {}",
                     std::max(report_.signed_size, trusted) + 1, seq_)});
  }
}

}  // namespace

std::string_view FindingName(FindingKind kind) {
  return NameIn(kNames, kind);
}

json::object Finding::ToJson() const {
  return {{"finding", FindingName(kind)},
          {"seq", seq},
          {"file", file},
          {"offset", offset},
          {"detail", detail}};
}

json::object VerifyReport::ToJson() const {
  json::array list;
  for (const Finding& finding : findings) list.push_back(finding.ToJson());
  return {{"tenant", tenant.value()},
          {"first_seq", first_seq},
          {"last_seq", last_seq},
          {"records", records},
          {"signed_size", signed_size},
          {"checkpoints", checkpoints},
          {"head", ToHex(head)},
          {"root", root ? json::value(ToHex(*root)) : json::value(nullptr)},
          {"findings", std::move(list)}};
}

Result<VerifyReport> VerifyChain(const VerifyInput& input) {
  return Verification(input).Run();
}

}  // namespace falconer::ledger
