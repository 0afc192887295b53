#pragma once
// ArtifactWriter: one artifact on its way in. Content is counted against the tenant's quota before
// it is written, into a hidden folder; Finish() puts the folder in its place in one step. Until
// then nobody sees it, and a writer that is let go leaves nothing behind.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/async/clock.h"
#include "base/sha256.h"
#include "base/unique_fd.h"
#include "browser/context/artifact_account.h"
#include "browser/context/artifact_record.h"

namespace falconer::browser {

// Where artifacts of one workflow live, and who pays for them.
struct ArtifactPlace {
  std::filesystem::path tenant_folder;
  std::filesystem::path workflow_folder;
  std::shared_ptr<ArtifactAccount> account;
};

// What the artifacts (and other files) below a folder add up to; hidden files do not count.
// kIoError.
Result<std::uint64_t> CountBytes(const std::filesystem::path& folder);

class ArtifactWriter {
 public:
  // `name` may be anything: only what is harmless of it is used. kIoError.
  static Result<std::unique_ptr<ArtifactWriter>> Open(ArtifactPlace place, ArtifactKind kind,
                                                      std::string_view name);
  ~ArtifactWriter();
  ArtifactWriter(const ArtifactWriter&) = delete;
  ArtifactWriter& operator=(const ArtifactWriter&) = delete;

  // kQuotaArtifactBytes before anything of the piece is written; kIoError.
  Result<void> Append(std::string_view piece);
  // Takes a file of the same disk away from where it is, instead of content. kNotFound, kIoError,
  // kQuotaArtifactBytes; the file is gone then, too.
  Result<void> TakeFile(const std::filesystem::path& file);
  // Content that is kept already keeps its first record. kQuotaArtifactBytes, kIoError. The writer
  // is used up, however it ends.
  Result<ArtifactRecord> Finish(WallTime now);

 private:
  ArtifactWriter(ArtifactPlace place, ArtifactKind kind, std::string_view name);
  Result<void> CreateFolder();
  Result<void> OpenContent();
  Result<void> HashContent();
  void Note(std::string_view piece);
  Result<ArtifactRecord> PutInPlace(ArtifactRecord record);
  void Discard();
  std::filesystem::path content() const { return incoming_ / name_; }

  ArtifactPlace place_;
  ArtifactKind kind_;
  std::string name_;
  std::filesystem::path incoming_;
  UniqueFd fd_;
  Sha256 hash_;
  std::string head_;
  std::uint64_t bytes_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace falconer::browser
