#include "browser/context/artifact_folder.h"

#include "base/file.h"
#include "base/sha256.h"
#include "browser/context/artifact_record.h"

namespace falconer::browser {
namespace {

bool IsBelow(const std::filesystem::path& path, const std::filesystem::path& root) {
  const auto relative = path.lexically_relative(root);
  return !relative.empty() && *relative.begin() != ".." && relative != ".";
}

}  // namespace

Result<model::ArtifactEvidence> ArtifactFolder::Save(std::string_view bytes,
                                                     std::string_view extension,
                                                     std::string_view mime) const {
  if (root_.empty())
    return Fail(ErrorCode::kIoError, "the session has no artifacts folder (artifacts.dir)");
  std::error_code failed;
  std::filesystem::create_directories(root_, failed);
  if (failed)
    return Fail(ErrorCode::kIoError, "cannot create " + root_.string() + ": " + failed.message());
  const std::string hash = Sha256Hex(bytes);
  const std::string name = hash + "." + std::string(extension);
  TRY(WriteFileAtomic(root_ / name, bytes));
  return model::ArtifactEvidence{
      .bytes = bytes.size(), .mime = std::string(mime), .sha256 = hash, .path = name};
}

// Links are followed before the check, so that none of them leads outside.
Result<std::filesystem::path> ArtifactFolder::ResolveUpload(
    const std::filesystem::path& relative) const {
  // The system would read such a name only up to there.
  if (relative.native().contains('\0'))
    return Fail(ErrorCode::kInvalidActionSpec, "files: a name must not contain NUL");
  std::error_code failed;
  const auto root = std::filesystem::canonical(root_, failed);
  if (failed)
    return Fail(ErrorCode::kNotFound, "the artifacts folder " + root_.string() + " does not exist");
  // An artifact is a folder of its own, with one file in it.
  const auto status = std::filesystem::symlink_status(root / relative, failed);
  if (IsArtifactId(relative.string()) && std::filesystem::is_directory(status))
    return ContentIn(root / relative);
  const auto lexical = (root / relative).lexically_normal();
  if (relative.is_absolute() || !IsBelow(lexical, root)) {
    return Fail(ErrorCode::kInvalidActionSpec,
                "files: " + relative.string() + " is outside the artifacts folder");
  }
  auto real = std::filesystem::canonical(lexical, failed);
  if (failed || !std::filesystem::is_regular_file(real, failed)) {
    return Fail(ErrorCode::kNotFound,
                "files: " + relative.string() + " does not exist in the artifacts folder");
  }
  if (!IsBelow(real, root)) {
    return Fail(ErrorCode::kInvalidActionSpec,
                "files: " + relative.string() + " leads outside the artifacts folder");
  }
  return real;
}

}  // namespace falconer::browser
