#pragma once
// FaultyLayer: a disk of the ledger that fails at the call it is told to.

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>

#include "ledger/file_layer.h"

namespace falconer::test {

struct Fault {
  int error = EIO;
  // A write that fails has written this much of its bytes before.
  bool writes_half = false;
  // How many calls fail, one after the other.
  int times = 1;
};

class FaultyLayer final : public ledger::FileLayer {
 public:
  // The `call`th call from now on fails, counted over all kinds of calls from 1.
  void FailAt(int call, Fault fault) {
    const std::scoped_lock lock(mutex_);
    left_ = call;
    fault_ = fault;
  }
  void Heal() { FailAt(0, {.times = 0}); }
  // Whether the call that was to fail has come.
  bool has_failed() const { return has_failed_; }

  ssize_t Write(int fd, const char* bytes, std::size_t size) override {
    bool writes_half = false;
    if (!Fails(&writes_half)) return FileLayer::Write(fd, bytes, size);
    if (writes_half && size > 1) return FileLayer::Write(fd, bytes, size / 2);
    return -1;
  }
  int Sync(int fd) override { return Fails() ? -1 : FileLayer::Sync(fd); }
  int Truncate(int fd, off_t size) override { return Fails() ? -1 : FileLayer::Truncate(fd, size); }
  int Rename(const char* from, const char* to) override {
    return Fails() ? -1 : FileLayer::Rename(from, to);
  }

 private:
  bool Fails(bool* writes_half = nullptr) {
    const std::scoped_lock lock(mutex_);
    if (left_ > 0) --left_;
    if (left_ != 0 || fault_.times == 0) return false;
    has_failed_ = true;
    errno = fault_.error;
    // What could be written in part fails at the next call, as a full disk does.
    if (writes_half != nullptr && fault_.writes_half) {
      *writes_half = true;
      fault_.writes_half = false;
      return true;
    }
    --fault_.times;
    return true;
  }

  std::mutex mutex_;
  int left_ = 0;
  Fault fault_{.times = 0};
  std::atomic<bool> has_failed_ = false;
};

}  // namespace falconer::test
