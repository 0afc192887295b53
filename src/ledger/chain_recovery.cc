#include "ledger/chain_recovery.h"

#include <algorithm>
#include <fmt/format.h>

#include "ledger/record.h"
#include "ledger/segment.h"

namespace falconer::ledger {
namespace {

struct Place {
  std::filesystem::path segment;
  std::uint64_t offset = 0;
  std::uint64_t seq = 0;
};

std::unexpected<Error> Damaged(const Place& place, std::string_view why) {
  return Fail(
      Error(ErrorCode::kLedgerDamaged,
            fmt::format("{}: record {} at byte {}: {}", place.segment.string(), place.seq,
                        place.offset, why),
            {{"segment", place.segment.string()}, {"offset", place.offset}, {"seq", place.seq}}));
}

class Recovery {
 public:
  Recovery(const ChainPaths& paths, const RecoveryInput& input) : paths_(paths), input_(input) {
    if (input.checkpoint) heads_.push_back({input.checkpoint->size(), input.checkpoint->head});
    heads_.insert(heads_.end(), input.heads.begin(), input.heads.end());
    for (const KnownHead& head : heads_) durable_ = std::max(durable_, head.seq);
  }

  Result<RecoveredChain> Run();

 private:
  Result<void> ReadFromCheckpoint();
  Result<void> ReadOn(const ChainPlace& from);
  Result<std::size_t> FirstToRead(const std::vector<SegmentFile>& segments) const;
  Result<void> ReadSegment(const SegmentFile& segment, SegmentRole role);
  Result<void> EnterSegment(const SegmentFile& segment, const SegmentHeader& header);
  // The records of `rest`, which begins at `offset` in its segment.
  Result<void> ReadRecords(const SegmentFile& segment, SegmentRole role, std::string_view rest,
                           std::uint64_t offset);
  // Why the record does not follow the last one; empty when it does.
  std::string_view WrongWith(const RecordView& record);
  Result<void> Take(const RecordView& record, const Place& place);
  // What is known of the newest record read: the same as what somebody remembers or signed.
  Result<void> CheckPlace(std::uint64_t offset);
  // A fault: torn where a crash can have left it, else damage.
  Result<void> Judge(const Place& place, SegmentRole role, std::uint64_t bytes,
                     std::string_view why);
  bool WasRefused(std::string_view rest) const {
    return out_.state.seq == durable_ && input_.refused.starts_with(rest);
  }

  const ChainPaths& paths_;
  const RecoveryInput& input_;
  std::vector<KnownHead> heads_;
  std::uint64_t durable_ = 0;
  bool has_entered_ = false;
  Hasher hasher_;
  RecoveredChain out_;
};

Result<RecoveredChain> Recovery::Run() {
  TRY(input_.from ? ReadOn(*input_.from) : ReadFromCheckpoint());
  if (out_.state.seq < durable_) {
    return Damaged({out_.segment.empty() ? paths_.folder : out_.segment, out_.segment_bytes,
                    out_.state.seq + 1},
                   fmt::format("missing, though record {} was durable: the chain was cut or "
                               "rolled back",
                               durable_));
  }
  return std::move(out_);
}

Result<void> Recovery::ReadFromCheckpoint() {
  TRY_ASSIGN(const std::vector<SegmentFile> segments, ListSegments(paths_.folder));
  out_.state.head = GenesisHash(input_.tenant);
  if (input_.checkpoint) out_.state.tree = input_.checkpoint->tree;
  TRY_ASSIGN(const std::size_t first, FirstToRead(segments));
  for (std::size_t i = first; i < segments.size(); ++i) {
    const bool is_last = i + 1 == segments.size();
    TRY(ReadSegment(segments[i], is_last ? SegmentRole::kLast : SegmentRole::kEarlier));
  }
  return {};
}

// A segment is named by its first record, so the next one is found without looking at the others.
Result<void> Recovery::ReadOn(const ChainPlace& from) {
  has_entered_ = true;
  out_.state = from.state;
  out_.segment = from.segment;
  out_.segment_bytes = from.segment_bytes;
  TRY(CheckPlace(from.segment_bytes));
  TRY_ASSIGN(const std::string more, LoadSegment(from.segment, from.segment_bytes));
  TRY(ReadRecords({0, from.segment}, SegmentRole::kLast, more, from.segment_bytes));
  while (!out_.torn) {
    const SegmentFile next{out_.state.seq + 1, paths_.segment(out_.state.seq + 1)};
    // A segment without records would be followed by itself.
    std::error_code ignored;
    if (next.path == out_.segment || !std::filesystem::exists(next.path, ignored)) break;
    TRY(ReadSegment(next, SegmentRole::kLast));
  }
  return {};
}

// The segment of the checkpoint's last record: what is before it is under the checkpoint.
Result<std::size_t> Recovery::FirstToRead(const std::vector<SegmentFile>& segments) const {
  const std::uint64_t wanted =
      input_.checkpoint ? std::max<std::uint64_t>(input_.checkpoint->size(), 1) : 1;
  const auto after = std::ranges::upper_bound(segments, wanted, {}, &SegmentFile::first_seq);
  if (after != segments.begin()) return static_cast<std::size_t>(after - segments.begin()) - 1;
  if (segments.empty()) return std::size_t{0};
  return Damaged({segments.front().path, 0, wanted}, "the segment that holds it is missing");
}

Result<void> Recovery::ReadSegment(const SegmentFile& segment, SegmentRole role) {
  TRY_ASSIGN(const std::string content, LoadSegment(segment.path));
  const auto parsed = ParseSegmentHeader(content);
  const Place start{segment.path, 0, segment.first_seq};
  if (!parsed) {
    // Without its header a segment was never used: the one before goes on.
    return Judge(start, role, content.size(), parsed.error().message());
  }
  TRY(EnterSegment(segment, parsed->header));
  out_.segment = segment.path;
  out_.segment_bytes = parsed->bytes;
  out_.index.clear();
  return ReadRecords(segment, role, std::string_view(content).substr(parsed->bytes), parsed->bytes);
}

Result<void> Recovery::EnterSegment(const SegmentFile& segment, const SegmentHeader& header) {
  const Place start{segment.path, 0, segment.first_seq};
  if (header.tenant != input_.tenant) return Damaged(start, "the segment is of another tenant");
  if (header.first_seq != segment.first_seq) {
    return Damaged(start, "the segment's name and header disagree");
  }
  if (!has_entered_) {
    has_entered_ = true;
    if (header.first_seq == 1 && header.previous != out_.state.head) {
      return Damaged(start, "the chain does not begin with the tenant's own start");
    }
    out_.state.seq = header.first_seq - 1;
    out_.state.head = header.previous;
    return {};
  }
  if (header.first_seq != out_.state.seq + 1 || header.previous != out_.state.head) {
    return Damaged(start, "the segment does not continue the one before");
  }
  return {};
}

Result<void> Recovery::ReadRecords(const SegmentFile& segment, SegmentRole role,
                                   std::string_view rest, std::uint64_t offset) {
  while (!rest.empty()) {
    const Place place{segment.path, offset, out_.state.seq + 1};
    if (role == SegmentRole::kLast && WasRefused(rest))
      return Judge(place, role, rest.size(), "written by a commit that failed");
    const auto record = ReadRecord(rest);
    if (!record) return Judge(place, role, rest.size(), FrameFaultText(record.error()));
    if (const std::string_view why = WrongWith(*record); !why.empty()) {
      return Judge(place, role, rest.size(), why);
    }
    TRY(Take(*record, place));
    rest.remove_prefix(record->bytes.size());
    offset += record->bytes.size();
    out_.segment_bytes = offset;
  }
  return {};
}

std::string_view Recovery::WrongWith(const RecordView& record) {
  if (record.fields.seq != out_.state.seq + 1) return "the record has another number";
  if (record.fields.previous != out_.state.head) return "the record does not follow the one before";
  if (!record.HasRightHash(hasher_)) return "the record's hash does not match";
  return {};
}

Result<void> Recovery::Take(const RecordView& record, const Place& place) {
  if (record.fields.seq > out_.state.tree.size()) out_.state.tree.Append(hasher_, record.hash);
  out_.state.seq = record.fields.seq;
  out_.state.head = record.hash;
  out_.index.push_back({place.offset, record.hash});
  TRY(CheckPlace(place.offset));
  if (input_.on_record) input_.on_record(record);
  return {};
}

Result<void> Recovery::CheckPlace(std::uint64_t offset) {
  const ChainState& state = out_.state;
  const Place place{out_.segment, offset, state.seq};
  for (const KnownHead& head : heads_) {
    if (head.seq == state.seq && head.hash != state.head) {
      return Damaged(place, "another record was durable here: the chain was rewritten");
    }
  }
  const bool is_signed = input_.checkpoint && input_.checkpoint->size() == state.seq;
  if (is_signed && state.tree.size() == state.seq &&
      state.tree.Root(hasher_) != input_.checkpoint->root) {
    return Damaged(place, "another root was signed here: the chain was rewritten");
  }
  return {};
}

Result<void> Recovery::Judge(const Place& place, SegmentRole role, std::uint64_t bytes,
                             std::string_view why) {
  // A segment is only begun once the one before it is durable as a whole.
  if (role != SegmentRole::kLast || place.seq <= durable_) return Damaged(place, why);
  out_.torn = TornTail{place.segment, place.offset, bytes, std::string(why)};
  return {};
}

}  // namespace

Result<RecoveredChain> RecoverChain(const ChainPaths& paths, const RecoveryInput& input) {
  return Recovery(paths, input).Run();
}

}  // namespace falconer::ledger
