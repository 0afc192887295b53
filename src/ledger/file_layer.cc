#include "ledger/file_layer.h"

#include <cstdio>
#include <unistd.h>

namespace falconer::ledger {

ssize_t FileLayer::Write(int fd, const char* bytes, std::size_t size) {
  return ::write(fd, bytes, size);
}

int FileLayer::Sync(int fd) {
  return ::fdatasync(fd);
}

int FileLayer::Truncate(int fd, off_t size) {
  return ::ftruncate(fd, size);
}

int FileLayer::Rename(const char* from, const char* to) {
  return ::rename(from, to);
}

}  // namespace falconer::ledger
