#pragma once
// Files and folders with typed errors.

#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "base/error.h"

namespace falconer {

// What a system call that just failed on the path left in errno: kNotFound or kIoError, saying
// "<doing> <path>: <why>", with the path and the number as details.
std::unexpected<Error> IoFailure(const std::filesystem::path& path, std::string_view doing);

// The file, or the first `most` bytes of it. Fails with kNotFound or kIoError, naming the path.
Result<std::string> ReadFile(const std::filesystem::path& path,
                             std::size_t most = std::numeric_limits<std::size_t>::max());

// Writes all of it to a file that is open. kIoError, naming the path.
Result<void> WriteAll(int fd, const std::filesystem::path& path, std::string_view content);

// Makes the names in a folder durable. kNotFound or kIoError.
Result<void> SyncFolder(const std::filesystem::path& folder);

// Replaces the file in one step: readers see the old or the new content, never a part. The content
// is on disk when this returns. A new file is private (0600). Fails with kNotFound when the folder
// does not exist, else with kIoError.
Result<void> WriteFileAtomic(const std::filesystem::path& path, std::string_view content);

// The same for a file that must not be there yet: of several who create it at once one succeeds,
// and nobody ever sees a part of it. kAlreadyExists when there is one.
Result<void> CreateFileAtomic(const std::filesystem::path& path, std::string_view content);

// True for a folder that belongs to this user; a link to one is not it.
bool IsOwnFolder(const std::filesystem::path& path);

// A private folder (0700) that is removed with everything in it, also while processes that were
// just ended still write there.
class TempDir {
 public:
  // Below $TMPDIR or /tmp.
  static Result<TempDir> Create(std::string_view prefix);
  TempDir(TempDir&& other) noexcept;
  TempDir& operator=(TempDir&& other) noexcept;
  ~TempDir();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TempDir(std::filesystem::path path) : path_(std::move(path)) {}
  void Remove() noexcept;
  std::filesystem::path path_;
};

}  // namespace falconer
