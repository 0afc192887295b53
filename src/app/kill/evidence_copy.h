#pragma once
// EvidenceCopy: files that are copied into a folder, each with its size and digest.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace falconer::app {

struct CopiedFile {
  std::string path;  // relative to the folder
  std::uint64_t bytes = 0;
  std::string sha256;
};

class EvidenceCopy {
 public:
  // kAlreadyExists when the folder is there and not empty, kIoError.
  static Result<EvidenceCopy> Create(std::filesystem::path folder);

  // Copies a file, private (0600) and on disk when it returns. A file that was copied to the same
  // place before is replaced. kNotFound, kIoError.
  Result<void> Add(const std::filesystem::path& from, const std::filesystem::path& relative);
  bool Has(const std::filesystem::path& relative) const;

  const std::filesystem::path& folder() const { return folder_; }
  const std::vector<CopiedFile>& files() const { return files_; }

 private:
  explicit EvidenceCopy(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
  std::vector<CopiedFile> files_;
};

}  // namespace falconer::app
