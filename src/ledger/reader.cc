#include "ledger/reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/stat.h>

#include "base/file.h"
#include "ledger/chain_file.h"

namespace falconer::ledger {
namespace {

// Segments whose index stays in memory.
constexpr std::size_t kMostLoaded = 4;

struct FieldRow {
  std::string_view field;  // in the payload
  std::optional<std::string> RecordFilter::* wanted;
};

constexpr FieldRow kFields[] = {
    {"agent", &RecordFilter::agent},       {"session", &RecordFilter::session},
    {"plan", &RecordFilter::plan},         {"run", &RecordFilter::run},
    {"workflow", &RecordFilter::workflow},
};
constexpr std::string_view kActionField = "action_id";

std::unexpected<Error> NoRecord(std::uint64_t seq) {
  return Fail(ErrorCode::kNotFound, fmt::format("the chain has no record {}", seq));
}

}  // namespace

bool RecordFilter::Matches(const RecordView& record) const {
  if (kind && record.fields.kind != *kind) return false;
  if (start_ms && record.fields.wall_ms < *start_ms) return false;
  if (end_ms && record.fields.wall_ms >= *end_ms) return false;
  const bool asks_payload = action || std::ranges::any_of(kFields, [&](const FieldRow& row) {
                              return (this->*row.wanted).has_value();
                            });
  if (!asks_payload) return true;
  const auto payload = ParseJsonObject(record.fields.payload);
  if (!payload) return false;
  if (action && !TextAt(*payload, kActionField).starts_with(*action)) return false;
  return std::ranges::all_of(kFields, [&](const FieldRow& row) {
    const std::optional<std::string>& wanted = this->*row.wanted;
    return !wanted || TextAt(*payload, row.field) == *wanted;
  });
}

json::object RecordFilter::ToJson() const {
  json::object out;
  for (const FieldRow& row : kFields) {
    if (this->*row.wanted) out[row.field] = *(this->*row.wanted);
  }
  if (action) out["action"] = *action;
  if (kind) out["kind"] = RecordKindName(*kind);
  if (start_ms) out["start_ms"] = *start_ms;
  if (end_ms) out["end_ms"] = *end_ms;
  return out;
}

Result<ChainReader> ChainReader::Open(const std::filesystem::path& folder,
                                      const std::filesystem::path& archive) {
  TRY_ASSIGN(std::vector<SegmentFile> segments, ListSegments(folder));
  if (!archive.empty()) {
    TRY_ASSIGN(const std::vector<SegmentFile> archived, ListSegments(archive));
    segments.insert(segments.end(), archived.begin(), archived.end());
    std::ranges::sort(segments, {}, &SegmentFile::first_seq);
  }
  if (segments.empty()) {
    return Fail(ErrorCode::kNotFound, "there is no ledger in " + folder.string());
  }
  return ChainReader(std::move(segments));
}

Result<std::uint64_t> ChainReader::LastSeq() {
  TRY_ASSIGN(const Loaded* last, Load(segments_.size() - 1));
  return segments_.back().first_seq + last->index.size() - 1;
}

Result<ChainReader::Loaded*> ChainReader::SegmentOf(std::uint64_t seq) {
  const auto after = std::ranges::upper_bound(segments_, seq, {}, &SegmentFile::first_seq);
  if (after == segments_.begin()) return NoRecord(seq);
  return Load(static_cast<std::size_t>(after - segments_.begin()) - 1);
}

Result<ChainReader::Loaded*> ChainReader::Load(std::size_t at) {
  const auto found = std::ranges::find(loaded_, at, &Loaded::at);
  if (found != loaded_.end()) {
    loaded_.splice(loaded_.begin(), loaded_, found);
    return &loaded_.front();
  }
  const std::filesystem::path& path = segments_[at].path;
  TRY_ASSIGN(std::vector<IndexEntry> index, LoadIndex(path));
  TRY_ASSIGN(UniqueFd fd, OpenChainFile(path));
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return IoFailure(path, "cannot read");
  loaded_.push_front(
      {at, std::move(fd), std::move(index), static_cast<std::uint64_t>(status.st_size)});
  if (loaded_.size() > kMostLoaded) loaded_.pop_back();
  return &loaded_.front();
}

Result<std::string> ChainReader::ReadAt(const Loaded& segment, std::size_t place) const {
  const std::uint64_t start = segment.index[place].offset;
  const bool is_last = place + 1 == segment.index.size();
  const std::uint64_t end = is_last ? segment.end : segment.index[place + 1].offset;
  std::string bytes(static_cast<std::size_t>(end - std::min(start, end)), '\0');
  const ssize_t n =
      ::pread(segment.fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(start));
  if (n < 0) return IoFailure(segments_[segment.at].path, "cannot read");
  bytes.resize(static_cast<std::size_t>(n));
  return bytes;
}

Result<StoredRecord> ChainReader::At(std::uint64_t seq) {
  TRY_ASSIGN(const Loaded* segment, SegmentOf(seq));
  const std::uint64_t place = seq - segments_[segment->at].first_seq;
  if (place >= segment->index.size()) return NoRecord(seq);
  TRY_ASSIGN(std::string bytes, ReadAt(*segment, place));
  const auto record = ReadRecord(bytes);
  if (!record || record->fields.seq != seq || !record->HasRightHash(hasher_)) {
    return Fail(ErrorCode::kLedgerDamaged, fmt::format("{}: record {} is not what was written",
                                                       segments_[segment->at].path.string(), seq));
  }
  bytes.resize(record->bytes.size());
  return StoredRecord(std::move(bytes));
}

Result<Sha256Digest> ChainReader::HashOf(std::uint64_t seq) {
  TRY_ASSIGN(const Loaded* segment, SegmentOf(seq));
  const std::uint64_t place = seq - segments_[segment->at].first_seq;
  if (place >= segment->index.size()) return NoRecord(seq);
  return segment->index[place].hash;
}

Result<RecordPage> ChainReader::Query(const RecordFilter& filter, std::uint64_t from,
                                      std::size_t limit) {
  TRY_ASSIGN(const std::uint64_t last, LastSeq());
  RecordPage page;
  for (std::uint64_t seq = std::max(from, first_seq()); seq <= last; ++seq) {
    TRY_ASSIGN(StoredRecord record, At(seq));
    if (!filter.Matches(record.view())) continue;
    if (page.records.size() == limit) {
      page.next = seq;
      break;
    }
    page.records.push_back(std::move(record));
  }
  return page;
}

}  // namespace falconer::ledger
