#include "base/log.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/unique_fd.h"

namespace falconer {
namespace {

constexpr std::string_view kNames[] = {"debug", "info", "warn", "error", "off"};

// The process has one log, like it has one standard error.
struct Log {
  std::atomic<LogLevel> level{LogLevel::kWarn};
  std::mutex mutex;
  LogSink sink;
  LogRedactor redactor;
};

Log& TheLog() {
  static Log log;
  return log;
}

std::string Timestamp() {
  const auto now = std::chrono::system_clock::now();
  const auto ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()) % 1000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(now)), ms.count());
}

// One write keeps lines of several processes whole; a line that cannot be written is lost.
void WriteLine(int fd, std::string_view line) {
  const std::string text = std::string(line) + "\n";
  [[maybe_unused]] const auto written = ::write(fd, text.data(), text.size());
}

}  // namespace

std::string_view LogLevelName(LogLevel level) {
  return kNames[std::to_underlying(level)];
}

std::optional<LogLevel> ParseLogLevel(std::string_view name) {
  for (int i = 0; i < std::ssize(kNames); ++i) {
    if (kNames[i] == name) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

bool IsLogged(LogLevel level) {
  return level >= TheLog().level.load(std::memory_order_relaxed);
}

void SetLogLevel(LogLevel level) {
  TheLog().level = level;
}

void SetLogSink(LogSink sink) {
  const std::lock_guard lock(TheLog().mutex);
  TheLog().sink = std::move(sink);
}

Result<LogSink> OpenLogFile(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) {
    const ErrorCode code = errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIoError;
    return Fail(code, "cannot open the log file " + path.string() + ": " +
                          std::generic_category().message(errno));
  }
  // std::function copies its target, so the descriptor is shared.
  return [file = std::make_shared<UniqueFd>(fd)](std::string_view line) {
    WriteLine(file->get(), line);
  };
}

void SetLogRedactor(LogRedactor redactor) {
  const std::lock_guard lock(TheLog().mutex);
  TheLog().redactor = std::move(redactor);
}

void WriteLog(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  json::object line{{"ts", Timestamp()}, {"level", LogLevelName(level)}, {"event", event}};
  Log& log = TheLog();
  const std::lock_guard lock(log.mutex);
  for (const LogField& field : fields) {
    json::value& value = line[field.key] = field.value;
    if (log.redactor) log.redactor(field.key, value);
  }
  const std::string text = json::serialize(line);
  log.sink ? log.sink(text) : WriteLine(STDERR_FILENO, text);
}

}  // namespace falconer
