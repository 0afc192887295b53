#include "base/file.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <utility>

#include "base/read_fd.h"
#include "base/unique_fd.h"

namespace falconer {
namespace {

// Processes that were just killed may still be writing.
constexpr int kRemoveTries = 20;

Result<void> WriteDurably(int fd, const std::filesystem::path& path, std::string_view content) {
  TRY(WriteAll(fd, path, content));
  if (::fsync(fd) != 0) return IoFailure(path, "cannot sync");
  return {};
}

// Writes a file beside the path and makes it durable. Its name.
Result<std::string> WriteBeside(const std::filesystem::path& path, std::string_view content) {
  std::string beside = path.string() + ".XXXXXX";
  const UniqueFd fd(::mkostemp(beside.data(), O_CLOEXEC));
  if (!fd) return IoFailure(path, "cannot create a file beside");
  const Result<void> written = WriteDurably(fd.get(), path, content);
  if (written) return beside;
  ::unlink(beside.c_str());
  return Fail(written.error());
}

// A name is on disk only once its folder is.
Result<void> SyncFolderOf(const std::filesystem::path& path) {
  return SyncFolder(path.has_parent_path() ? path.parent_path() : ".");
}

}  // namespace

std::unexpected<Error> IoFailure(const std::filesystem::path& path, std::string_view doing) {
  const int number = errno;
  const ErrorCode code = number == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIoError;
  return Fail(Error(
      code,
      std::string(doing) + " " + path.string() + ": " + std::generic_category().message(number),
      {{"path", path.string()}, {"errno", number}}));
}

Result<void> WriteAll(int fd, const std::filesystem::path& path, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return IoFailure(path, "cannot write");
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

Result<void> SyncFolder(const std::filesystem::path& folder) {
  const UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd || ::fsync(fd.get()) != 0) return IoFailure(folder, "cannot sync");
  return {};
}

Result<std::string> ReadFile(const std::filesystem::path& path, std::size_t most) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return IoFailure(path, "cannot open");
  return ReadFd(fd, path, most);
}

Result<void> WriteFileAtomic(const std::filesystem::path& path, std::string_view content) {
  TRY_ASSIGN(const std::string beside, WriteBeside(path, content));
  if (::rename(beside.c_str(), path.c_str()) == 0) return SyncFolderOf(path);
  auto failure = IoFailure(path, "cannot replace");
  ::unlink(beside.c_str());
  return failure;
}

Result<void> CreateFileAtomic(const std::filesystem::path& path, std::string_view content) {
  TRY_ASSIGN(const std::string beside, WriteBeside(path, content));
  const int failed = ::link(beside.c_str(), path.c_str()) == 0 ? 0 : errno;
  ::unlink(beside.c_str());
  if (failed == 0) return SyncFolderOf(path);
  if (failed == EEXIST) {
    return Fail(ErrorCode::kAlreadyExists, "there is a file already: " + path.string());
  }
  errno = failed;
  return IoFailure(path, "cannot create");
}

bool IsOwnFolder(const std::filesystem::path& path) {
  struct stat info{};
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid();
}

Result<TempDir> TempDir::Create(std::string_view prefix) {
  std::error_code failed;
  const auto base = std::filesystem::temp_directory_path(failed);
  if (failed) return Fail(ErrorCode::kIoError, "no temporary folder: " + failed.message());
  std::string path = (base / (std::string(prefix) + "XXXXXX")).string();
  if (::mkdtemp(path.data()) == nullptr) return IoFailure(path, "cannot create");
  return TempDir(path);
}

TempDir::TempDir(TempDir&& other) noexcept : path_(std::exchange(other.path_, {})) {
}

TempDir& TempDir::operator=(TempDir&& other) noexcept {
  if (this != &other) {
    Remove();
    path_ = std::exchange(other.path_, {});
  }
  return *this;
}

TempDir::~TempDir() {
  Remove();
}

// Each pass takes away what somebody who is just ending wrote during the one before.
void TempDir::Remove() noexcept {
  if (path_.empty()) return;
  std::error_code failed;
  for (int i = 0; i < kRemoveTries; ++i) {
    std::filesystem::remove_all(path_, failed);
    if (!failed) return;
  }
}

}  // namespace falconer
