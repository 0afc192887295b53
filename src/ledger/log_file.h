#pragma once
// LogFile: a file that only grows, in steps that are durable or did not happen.
//
// A step that could not be written is cut off again, and the file goes on. A sync that failed, or a
// cut that did, leaves unknown what is on disk: a second sync would report success without having
// written anything. The file is then broken and must be opened anew.
//
// Other processes may add to the file too, while this one has no turn (ChainLock).

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/error.h"
#include "base/unique_fd.h"
#include "ledger/file_layer.h"

namespace falconer::ledger {

// What became of a file while others had their turn.
enum class FileChange {
  kNone,
  kLonger,
  kOther,  // shorter, replaced or gone
};

class LogFile {
 public:
  // Opens the file at its end, or creates it (0600). Bytes behind `size` are cut off, durably.
  // `layer` MUST outlive the file. kIoError.
  static Result<std::unique_ptr<LogFile>> Open(std::filesystem::path path, std::uint64_t size,
                                               FileLayer& layer);

  // Adds the bytes and waits until they are on disk. kIoError with the path and the reason.
  Result<void> Append(std::string_view bytes);
  // Waits until what others added is on disk. kIoError; the file is broken then.
  Result<void> Sync();
  // Gives the file its name, durably. kIoError.
  Result<void> Rename(const std::filesystem::path& path);

  FileChange Look() const;
  // Others added bytes: the next ones go behind the first `size`.
  void GoOnBehind(std::uint64_t size) { size_ = size; }

  bool is_broken() const { return is_broken_; }
  // Bytes that count: those that are durable, and those of others that this process has read.
  std::uint64_t size() const { return size_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  LogFile(std::filesystem::path path, UniqueFd fd, std::uint64_t size, FileLayer& layer)
      : path_(std::move(path)), fd_(std::move(fd)), size_(size), layer_(layer) {}
  Result<void> WriteAll(std::string_view bytes);
  void CutBack();

  std::filesystem::path path_;
  UniqueFd fd_;
  std::uint64_t size_;
  ino_t inode_ = 0;
  FileLayer& layer_;
  bool is_broken_ = false;
};

}  // namespace falconer::ledger
