#include "ledger/archive.h"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

#include "base/file.h"
#include "base/json/json_reader.h"
#include "base/utf8.h"
#include "ledger/chain_file.h"
#include "ledger/checkpoint.h"
#include "ledger/log_file.h"
#include "ledger/segment.h"
#include "ledger/signed_json.h"

namespace falconer::ledger {
namespace {

ArchivedSegment ReadSegmentRow(JsonReader& in) {
  return {.file = in.String("file"),
          .first_seq = static_cast<std::uint64_t>(in.Integer("first_seq", {1})),
          .last_seq = static_cast<std::uint64_t>(in.Integer("last_seq", {1})),
          .bytes = static_cast<std::uint64_t>(in.Integer("bytes", {0})),
          .sha256 = in.String("sha256"),
          .folder = in.OptionalString("folder").value_or("")};
}

json::object ToJson(const ArchivedSegment& row) {
  return {{"file", row.file},           {"folder", row.folder.string()},
          {"first_seq", row.first_seq}, {"last_seq", row.last_seq},
          {"bytes", row.bytes},         {"sha256", row.sha256}};
}

// What the manifest can say of the place: it is JSON.
std::filesystem::path Named(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::path absolute = std::filesystem::absolute(folder, failed).lexically_normal();
  return !failed && IsValidUtf8(absolute.string()) ? absolute : std::filesystem::path();
}

Result<std::vector<ArchivedSegment>> LoadManifest(const std::filesystem::path& path,
                                                  std::span<const PublicKey> keys) {
  TRY_ASSIGN(const std::string text, ReadChainFile(path));
  TRY_ASSIGN(const json::object manifest, ParseSignedJson(text, keys));
  return ReadJson(
      manifest, "manifest", [](JsonReader& in) { return in.Objects("segments", ReadSegmentRow); },
      ErrorCode::kLedgerDamaged);
}

Result<void> SaveManifest(const std::vector<ArchivedSegment>& rows, const SigningKey& key,
                          const std::filesystem::path& path) {
  json::array segments;
  for (const ArchivedSegment& row : rows) segments.push_back(ToJson(row));
  TRY_ASSIGN(const std::string text, SignJson({{"segments", std::move(segments)}}, key));
  return WriteFileAtomic(path, text + "\n");
}

// The records that the newest checkpoint covers.
Result<std::uint64_t> SignedSize(const ChainPaths& paths, const PublicKey& key) {
  TRY_ASSIGN(const std::string text, ReadChainFile(paths.checkpoints()));
  const CheckpointTexts split = SplitCheckpoints(text);
  if (split.texts.empty()) return std::uint64_t{0};
  TRY_ASSIGN(const Checkpoint last, ParseCheckpoint(split.texts.back()));
  if (!IsSignedByOneOf(last, std::span(&key, 1))) {
    return Fail(ErrorCode::kLedgerDamaged, "the last checkpoint is not signed by this key");
  }
  return last.size();
}

Result<ArchivedSegment> CopyOut(const SegmentFile& segment, std::uint64_t last_seq,
                                const std::filesystem::path& archive) {
  TRY_ASSIGN(const std::string content, LoadSegment(segment.path));
  const std::filesystem::path copy = archive / segment.path.filename();
  TRY(WriteFileAtomic(copy, content));
  TRY_ASSIGN(const std::string back, LoadSegment(copy));
  if (back != content) return Fail(ErrorCode::kIoError, copy.string() + " reads back differently");
  return ArchivedSegment{segment.path.filename().string(),
                         segment.first_seq,
                         last_seq,
                         content.size(),
                         Sha256Hex(content),
                         Named(archive)};
}

Result<void> Remove(const std::filesystem::path& path) {
  std::error_code failed;
  std::filesystem::remove(path, failed);
  if (!failed) return {};
  return Fail(ErrorCode::kIoError, "cannot remove " + path.string() + ": " + failed.message());
}

Result<void> MakeFolder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed) return {};
  return Fail(ErrorCode::kIoError, "cannot create " + folder.string() + ": " + failed.message());
}

// A record alone does not tell that it belongs to the chain; the manifest is signed.
Result<void> CheckArchived(const ArchivedSegment& row) {
  TRY_ASSIGN(const std::string content, LoadSegment(row.folder / row.file));
  if (content.size() == row.bytes && Sha256Hex(content) == row.sha256) return {};
  return Fail(ErrorCode::kLedgerDamaged, row.file + " in the archive is not what was archived");
}

Result<StoredRecord> ReadArchived(const ArchivedSegment& row, std::uint64_t seq) {
  const auto read = [&]() -> Result<StoredRecord> {
    if (row.folder.empty()) return Fail(ErrorCode::kNotFound, "where to is not known");
    TRY(CheckArchived(row));
    TRY_ASSIGN(ChainReader archive, ChainReader::Open(row.folder));
    return archive.At(seq);
  };
  Result<StoredRecord> record = read();
  if (record || record.error().code() == ErrorCode::kLedgerDamaged) return record;
  return Fail(Error(
      ErrorCode::kRecordArchived,
      fmt::format("record {} was archived in {}: {}", seq, row.file, record.error().message()),
      {{"seq", seq}, {"file", row.file}, {"archive", row.folder.string()}}));
}

}  // namespace

Result<std::vector<ArchivedSegment>> ArchiveChain(const ChainPaths& paths, const SigningKey& key,
                                                  const std::filesystem::path& archive) {
  TRY_ASSIGN(const std::vector<SegmentFile> segments, ListSegments(paths.folder));
  TRY_ASSIGN(const std::uint64_t covered, SignedSize(paths, key.public_key()));
  TRY(MakeFolder(archive));
  std::vector<ArchivedSegment> moved;
  // Opening reads the segment of the last checkpoint's record: it and what follows stays.
  for (std::size_t i = 0; i + 1 < segments.size() && segments[i + 1].first_seq <= covered; ++i) {
    TRY_ASSIGN(ArchivedSegment row, CopyOut(segments[i], segments[i + 1].first_seq - 1, archive));
    moved.push_back(std::move(row));
  }
  if (moved.empty()) return moved;
  auto rows = LoadManifest(paths.archived(), std::span(&key.public_key(), 1));
  if (!rows && rows.error().code() != ErrorCode::kNotFound) return Fail(rows.error());
  std::vector<ArchivedSegment> all = rows.value_or(std::vector<ArchivedSegment>());
  all.insert(all.end(), moved.begin(), moved.end());
  TRY(SaveManifest(all, key, archive / "manifest.json"));
  TRY(SaveManifest(all, key, paths.archived()));
  for (const ArchivedSegment& row : moved) {
    TRY(Remove(paths.folder / row.file));
    TRY(Remove(IndexOf(paths.folder / row.file)));
  }
  TRY(SyncFolder(paths.folder));
  return moved;
}

Result<StoredRecord> FindRecord(const std::filesystem::path& folder, std::uint64_t seq,
                                std::span<const PublicKey> keys) {
  TRY_ASSIGN(ChainReader reader, ChainReader::Open(folder));
  if (seq >= reader.first_seq()) return reader.At(seq);
  const auto rows = LoadManifest(ChainPaths{folder}.archived(), keys);
  if (!rows && rows.error().code() != ErrorCode::kNotFound) return Fail(rows.error());
  for (const ArchivedSegment& row : rows.value_or(std::vector<ArchivedSegment>())) {
    if (row.first_seq <= seq && seq <= row.last_seq) return ReadArchived(row, seq);
  }
  return Fail(ErrorCode::kLedgerDamaged,
              fmt::format("{}: record {} is missing, and was not archived", folder.string(), seq));
}

Result<std::vector<ArchivedSegment>> ListArchived(const std::filesystem::path& folder,
                                                  std::span<const PublicKey> keys) {
  auto rows = LoadManifest(ChainPaths{folder}.archived(), keys);
  if (!rows && rows.error().code() == ErrorCode::kNotFound) return std::vector<ArchivedSegment>();
  return rows;
}

Result<std::uint64_t> ArchivedUpTo(const std::filesystem::path& folder,
                                   std::span<const PublicKey> keys) {
  TRY_ASSIGN(const auto rows, LoadManifest(ChainPaths{folder}.archived(), keys));
  std::uint64_t last = 0;
  for (const ArchivedSegment& row : rows) {
    if (row.first_seq != last + 1) {
      return Fail(ErrorCode::kLedgerDamaged, "the manifest of the archive has a gap");
    }
    last = row.last_seq;
  }
  return last;
}

}  // namespace falconer::ledger
