#pragma once
// ArtifactRecord: what is known of one kept file, and the form it has on disk. An artifact is a
// folder named by its id, holding the content under its display name (so that a page it is
// uploaded to sees that name) and this record in a file beside it.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/json/json_reader.h"

namespace falconer::browser {

// Contents are read and hashed in pieces of this size.
inline constexpr std::size_t kArtifactSlice = 256 * 1024;

enum class ArtifactKind : std::uint8_t { kUpload, kDownload, kCapture };

// Also the beginnings of their ids.
inline constexpr EnumName<ArtifactKind> kArtifactKinds[] = {
    {ArtifactKind::kUpload, "up"},
    {ArtifactKind::kDownload, "dl"},
    {ArtifactKind::kCapture, "art"},
};

struct ArtifactRecord {
  // "up_", "dl_" or "art_" and the first 20 hex digits of the content's hash.
  std::string id;
  ArtifactKind kind = ArtifactKind::kCapture;
  // A harmless file name, for people and for pages it is uploaded to.
  std::string name;
  std::string mime;
  std::string sha256;
  std::uint64_t bytes = 0;
  std::chrono::milliseconds created{0};  // since the Unix epoch

  json::object ToJson() const;
  // Strict. Fails with kInvalidArgument, also when id and hash do not belong together.
  static Result<ArtifactRecord> FromJson(const json::value& value);
  bool operator==(const ArtifactRecord&) const = default;
};

std::string ArtifactId(ArtifactKind kind, std::string_view sha256);
// Has the text the form of an id? Only then may it be part of a path.
bool IsArtifactId(std::string_view text);

// The file in an artifact's folder that holds its content. kNotFound.
Result<std::filesystem::path> ContentIn(const std::filesystem::path& folder);
// Reads the record in an artifact's folder; when it is lost or broken it is made anew from the
// content. kNotFound when there is no content, kIoError.
Result<ArtifactRecord> LoadRecord(const std::filesystem::path& folder);
Result<void> SaveRecord(const std::filesystem::path& folder, const ArtifactRecord& record);

}  // namespace falconer::browser
