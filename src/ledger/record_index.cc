#include "ledger/record_index.h"

#include <cstring>
#include <optional>

#include "ledger/chain_file.h"
#include "ledger/chain_paths.h"
#include "ledger/little_endian.h"
#include "ledger/record.h"
#include "ledger/segment.h"

namespace falconer::ledger {
namespace {

constexpr std::string_view kMagic = "FALCIDX1";
constexpr std::size_t kEntryBytes = sizeof(std::uint64_t) + sizeof(Sha256Digest);

std::vector<IndexEntry> ParseSidecar(std::string_view content) {
  std::vector<IndexEntry> entries;
  if (!content.starts_with(kMagic)) return entries;
  content.remove_prefix(kMagic.size());
  entries.reserve(content.size() / kEntryBytes);
  for (; content.size() >= kEntryBytes; content.remove_prefix(kEntryBytes)) {
    IndexEntry entry{.offset = NumberAt<std::uint64_t>(content, 0)};
    if (!entries.empty() && entry.offset <= entries.back().offset) break;
    std::memcpy(entry.hash.data(), content.data() + sizeof(std::uint64_t), entry.hash.size());
    entries.push_back(entry);
  }
  return entries;
}

// Adds the records of `content`, which lies at `offset` in its segment.
void AddRecords(std::string_view content, std::uint64_t offset, std::vector<IndexEntry>& entries) {
  for (auto record = ReadRecord(content); record; record = ReadRecord(content)) {
    entries.push_back({offset, record->hash});
    offset += record->bytes.size();
    content.remove_prefix(record->bytes.size());
  }
}

// True when the sidecar's last entry is the record that it should be by its place.
bool Agrees(std::string_view tail, const IndexEntry& last, std::uint64_t seq) {
  const auto record = ReadRecord(tail);
  return record && record->fields.seq == seq && record->hash == last.hash;
}

}  // namespace

std::string EncodeIndexEntry(const IndexEntry& entry) {
  std::string out;
  AppendNumber(out, entry.offset);
  out += BytesOf(entry.hash);
  return out;
}

std::string EncodeIndex(const std::vector<IndexEntry>& entries) {
  std::string out(kMagic);
  for (const IndexEntry& entry : entries) out += EncodeIndexEntry(entry);
  return out;
}

std::uint64_t IndexBytes(std::size_t records) {
  return kMagic.size() + records * kEntryBytes;
}

Result<std::vector<IndexEntry>> LoadIndex(const std::filesystem::path& segment) {
  TRY_ASSIGN(const SegmentHeader header, LoadSegmentHeader(segment));
  std::vector<IndexEntry> entries;
  if (const auto sidecar = ReadChainFile(IndexOf(segment))) entries = ParseSidecar(*sidecar);
  if (!entries.empty()) {
    const IndexEntry last = entries.back();
    TRY_ASSIGN(const std::string tail, LoadSegment(segment, last.offset));
    if (Agrees(tail, last, header.first_seq + entries.size() - 1)) {
      entries.pop_back();
      AddRecords(tail, last.offset, entries);
      return entries;
    }
  }
  entries.clear();
  TRY_ASSIGN(const std::string content, LoadSegment(segment));
  TRY_ASSIGN(const ParsedHeader parsed, ParseSegmentHeader(content));
  AddRecords(std::string_view(content).substr(parsed.bytes), parsed.bytes, entries);
  return entries;
}

}  // namespace falconer::ledger
