#pragma once
// FileLayer: the calls by which a log reaches the disk, so that tests can make them fail.

#include <cstddef>
#include <sys/types.h>

namespace falconer::ledger {

class FileLayer {
 public:
  virtual ~FileLayer() = default;
  // As write(2), fdatasync(2), ftruncate(2) and rename(2); errno says why they failed.
  virtual ssize_t Write(int fd, const char* bytes, std::size_t size);
  virtual int Sync(int fd);
  virtual int Truncate(int fd, off_t size);
  virtual int Rename(const char* from, const char* to);
};

}  // namespace falconer::ledger
