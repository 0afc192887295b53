#include "browser/context/artifact_record.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sys/stat.h>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/hex.h"
#include "base/sha256.h"
#include "browser/context/artifact_mime.h"

namespace falconer::browser {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kIdDigits = 20;
constexpr std::size_t kHashDigits = 64;
// No display name begins with a dot.
constexpr std::string_view kRecordFile = ".artifact.json";

std::optional<ArtifactKind> KindOf(std::string_view id) {
  const auto line = id.find('_');
  if (line == std::string_view::npos) return std::nullopt;
  const std::string_view digits = id.substr(line + 1);
  if (digits.size() != kIdDigits || !IsHex(digits)) return std::nullopt;
  return ValueIn(kArtifactKinds, id.substr(0, line));
}

ArtifactRecord ReadRecord(JsonReader& in) {
  ArtifactRecord record{.id = in.String("id"),
                        .name = in.String("name"),
                        .mime = in.String("mime"),
                        .sha256 = in.String("sha256"),
                        .bytes = static_cast<std::uint64_t>(in.Integer("bytes", {.min = 0})),
                        .created = in.Milliseconds("created_ms")};
  const auto kind = KindOf(record.id);
  if (!kind) {
    in.Reject("id", "is no artifact id");
  } else if (record.sha256.size() != kHashDigits || !IsHex(record.sha256) ||
             record.id != ArtifactId(*kind, record.sha256)) {
    in.Reject("sha256", "does not fit the id");
  }
  record.kind = kind.value_or(ArtifactKind::kCapture);
  return record;
}

std::chrono::milliseconds ModifiedAt(const fs::path& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return {};
  return std::chrono::seconds(info.st_mtim.tv_sec) +
         std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::nanoseconds(info.st_mtim.tv_nsec));
}

// What the content itself tells. The kind is in the name of the folder.
Result<ArtifactRecord> Describe(const fs::path& folder, const fs::path& content) {
  const auto kind = KindOf(folder.filename().string());
  if (!kind) return Fail(ErrorCode::kNotFound, folder.string() + " is no artifact");
  std::ifstream file(content, std::ios::binary);
  Sha256 hash;
  std::string head;
  std::uint64_t bytes = 0;
  std::vector<char> slice(kArtifactSlice);
  while (file) {
    file.read(slice.data(), static_cast<std::streamsize>(slice.size()));
    const std::string_view piece(slice.data(), static_cast<std::size_t>(file.gcount()));
    if (head.size() < kMimeHead) head += piece.substr(0, kMimeHead - head.size());
    hash.Add(piece);
    bytes += piece.size();
  }
  if (!file.eof()) return IoFailure(content, "cannot read");
  const std::string name = content.filename().string();
  return ArtifactRecord{.id = folder.filename().string(),
                        .kind = *kind,
                        .name = name,
                        .mime = std::string(SniffMime(head, name)),
                        .sha256 = ToHex(hash.Finish()),
                        .bytes = bytes,
                        .created = ModifiedAt(content)};
}

Result<ArtifactRecord> ParseRecord(const fs::path& folder) {
  TRY_ASSIGN(const std::string text, ReadFile(folder / kRecordFile));
  TRY_ASSIGN(const json::value value, ParseJson(text));
  TRY_ASSIGN(auto record, ArtifactRecord::FromJson(value));
  if (record.id != folder.filename().string())
    return Fail(ErrorCode::kInvalidArgument, "the record is of another artifact");
  return record;
}

}  // namespace

json::object ArtifactRecord::ToJson() const {
  return {{"id", id},         {"name", name},   {"mime", mime},
          {"sha256", sha256}, {"bytes", bytes}, {"created_ms", created.count()}};
}

Result<ArtifactRecord> ArtifactRecord::FromJson(const json::value& value) {
  return ReadJson(value, "artifact", ReadRecord);
}

std::string ArtifactId(ArtifactKind kind, std::string_view sha256) {
  return std::string(NameIn(kArtifactKinds, kind)) + "_" + std::string(sha256.substr(0, kIdDigits));
}

bool IsArtifactId(std::string_view text) {
  return KindOf(text).has_value();
}

Result<fs::path> ContentIn(const fs::path& folder) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    std::error_code unknown;
    if (!name.starts_with('.') && !entry.is_symlink(unknown) && entry.is_regular_file(unknown))
      return entry.path();
  }
  return Fail(ErrorCode::kNotFound, "no artifact " + folder.filename().string());
}

Result<ArtifactRecord> LoadRecord(const fs::path& folder) {
  TRY_ASSIGN(const fs::path content, ContentIn(folder));
  if (auto record = ParseRecord(folder)) return record;
  TRY_ASSIGN(auto record, Describe(folder, content));
  if (record.id != ArtifactId(record.kind, record.sha256))
    return Fail(ErrorCode::kIoError,
                "artifact " + record.id + " has other content than its id says");
  TRY(SaveRecord(folder, record));
  return record;
}

Result<void> SaveRecord(const fs::path& folder, const ArtifactRecord& record) {
  return WriteFileAtomic(folder / kRecordFile, json::serialize(record.ToJson()));
}

}  // namespace falconer::browser
