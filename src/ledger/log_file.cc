#include "ledger/log_file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/file.h"
#include "ledger/chain_file.h"

namespace falconer::ledger {

Result<std::unique_ptr<LogFile>> LogFile::Open(std::filesystem::path path, std::uint64_t size,
                                               FileLayer& layer) {
  TRY_ASSIGN(UniqueFd fd, OpenChainFile(path, O_RDWR | O_CREAT | O_APPEND));
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return IoFailure(path, "cannot read");
  const bool is_longer = static_cast<std::uint64_t>(status.st_size) != size;
  if (is_longer && layer.Truncate(fd.get(), static_cast<off_t>(size)) != 0) {
    return IoFailure(path, "cannot cut the end off");
  }
  // What a killed process wrote last may be in memory only.
  if (layer.Sync(fd.get()) != 0) return IoFailure(path, "cannot sync");
  TRY(SyncFolder(path.parent_path()));
  std::unique_ptr<LogFile> file(new LogFile(std::move(path), std::move(fd), size, layer));
  file->inode_ = status.st_ino;
  return file;
}

Result<void> LogFile::Append(std::string_view bytes) {
  if (is_broken_) {
    return Fail(ErrorCode::kIoError, path_.string() + " must be opened anew after a failed sync");
  }
  if (Result<void> written = WriteAll(bytes); !written) {
    CutBack();
    return written;
  }
  TRY(Sync());
  size_ += bytes.size();
  return {};
}

Result<void> LogFile::Sync() {
  if (layer_.Sync(fd_.get()) == 0) return {};
  is_broken_ = true;
  return IoFailure(path_, "cannot sync");
}

Result<void> LogFile::Rename(const std::filesystem::path& path) {
  if (layer_.Rename(path_.c_str(), path.c_str()) != 0) return IoFailure(path, "cannot name");
  path_ = path;
  return SyncFolder(path.parent_path());
}

FileChange LogFile::Look() const {
  // Our own descriptor keeps the number of the file from being given to another one.
  struct stat named{};
  if (::stat(path_.c_str(), &named) != 0) return FileChange::kOther;
  const auto size = static_cast<std::uint64_t>(named.st_size);
  if (named.st_ino != inode_ || size < size_) return FileChange::kOther;
  return size == size_ ? FileChange::kNone : FileChange::kLonger;
}

Result<void> LogFile::WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = layer_.Write(fd_.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return IoFailure(path_, "cannot write");
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

void LogFile::CutBack() {
  if (layer_.Truncate(fd_.get(), static_cast<off_t>(size_)) != 0) is_broken_ = true;
}

}  // namespace falconer::ledger
