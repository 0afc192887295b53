#include "kernel/flow/telemetry_sink.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <fcntl.h>
#include <mutex>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include "base/log.h"
#include "base/unique_fd.h"

namespace falconer::kernel {
namespace {

Result<UniqueFd> OpenFile(const std::filesystem::path& path) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (fd) return fd;
  const int number = errno;
  return Fail(number == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIoError,
              "cannot open " + path.string() + ": " + std::generic_category().message(number));
}

std::uint64_t SizeOf(const UniqueFd& fd) {
  struct stat info{};
  if (::fstat(fd.get(), &info) != 0) return 0;
  return static_cast<std::uint64_t>(info.st_size);
}

bool WriteWhole(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::filesystem::path Aside(const std::filesystem::path& path, int number) {
  return path.string() + "." + std::to_string(number);
}

}  // namespace

class TelemetrySink::Writer {
 public:
  Writer(std::filesystem::path path, UniqueFd fd, TelemetryLimits limits, LineFilter filter)
      : path_(std::move(path)),
        limits_(limits),
        filter_(std::move(filter)),
        fd_(std::move(fd)),
        size_(SizeOf(fd_)) {
    thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  }
  ~Writer() {
    const TelemetryStats stats = Close();
    if (stats.dropped + stats.failed == 0) return;
    LOG(warn, "telemetry.lost", {"path", path_.string()}, {"dropped", stats.dropped},
        {"failed", stats.failed});
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  bool TryWrite(std::string line) {
    const std::scoped_lock lock(mutex_);
    if (thread_.get_stop_token().stop_requested() || queue_.size() >= limits_.queue) {
      ++stats_.dropped;
      return false;
    }
    queue_.push_back(std::move(line));
    changed_.notify_one();
    return true;
  }

  TelemetryStats Close() {
    {
      // Under the lock, or the thread could miss it between looking and falling asleep.
      const std::scoped_lock lock(mutex_);
      thread_.request_stop();
      changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
    return stats_;
  }

 private:
  // Takes everything that waits at once, so that the lock is never held while the disk works.
  void Run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return !queue_.empty() || stop.stop_requested(); });
      if (queue_.empty()) return;
      std::deque<std::string> batch = std::exchange(queue_, {});
      lock.unlock();
      TelemetryStats done = WriteBatch(batch);
      lock.lock();
      stats_.written += done.written;
      stats_.failed += done.failed;
      stats_.rotations += done.rotations;
    }
  }

  TelemetryStats WriteBatch(std::deque<std::string>& batch) {
    TelemetryStats done;
    for (std::string& line : batch) {
      if (filter_) filter_(line);
      line += '\n';
      if (size_ > 0 && size_ + line.size() > limits_.file_bytes && Rotate()) ++done.rotations;
      if (fd_ && WriteWhole(fd_.get(), line)) {
        size_ += line.size();
        ++done.written;
      } else {
        ++done.failed;
        Complain();
      }
    }
    return done;
  }

  // "<name>.1" is the newest of those put aside; the oldest goes.
  bool Rotate() {
    std::error_code ignored;
    for (int i = std::max(limits_.files, 1) - 1; i >= 1; --i) {
      const std::filesystem::path from = i == 1 ? path_ : Aside(path_, i - 1);
      std::filesystem::rename(from, Aside(path_, i), ignored);
    }
    if (limits_.files <= 1) std::filesystem::remove(path_, ignored);
    Result<UniqueFd> fresh = OpenFile(path_);
    if (!fresh) {
      Complain();
      return false;
    }
    fd_ = *std::move(fresh);
    size_ = SizeOf(fd_);
    return true;
  }

  void Complain() {
    if (std::exchange(has_complained_, true)) return;
    LOG(error, "telemetry.write_failed", {"path", path_.string()},
        {"why", std::generic_category().message(errno)});
  }

  std::filesystem::path path_;
  TelemetryLimits limits_;
  LineFilter filter_;
  // The writing thread's own.
  UniqueFd fd_;
  std::uint64_t size_;
  bool has_complained_ = false;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> queue_;
  TelemetryStats stats_;
  // Last: the thread must be gone before what it uses.
  std::jthread thread_;
};

TelemetrySink::TelemetrySink(std::unique_ptr<Writer> writer) : writer_(std::move(writer)) {
}

TelemetrySink::TelemetrySink(TelemetrySink&&) noexcept = default;
TelemetrySink& TelemetrySink::operator=(TelemetrySink&&) noexcept = default;
TelemetrySink::~TelemetrySink() = default;

Result<TelemetrySink> TelemetrySink::Open(std::filesystem::path path, TelemetryLimits limits,
                                          LineFilter filter) {
  TRY_ASSIGN(UniqueFd fd, OpenFile(path));
  return TelemetrySink(
      std::make_unique<Writer>(std::move(path), std::move(fd), limits, std::move(filter)));
}

bool TelemetrySink::TryWrite(std::string line) {
  return writer_->TryWrite(std::move(line));
}

TelemetryStats TelemetrySink::Close() {
  return writer_->Close();
}

}  // namespace falconer::kernel
