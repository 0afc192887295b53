#pragma once
// TelemetrySink: lines of JSON into a file, written by a thread of its own. Whoever reports is
// never held up: when the disk cannot keep up or fails, lines are lost and counted, and the log
// says so once. Thread safe.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/error.h"

namespace falconer::kernel {

struct TelemetryLimits {
  std::size_t queue = 4096;                     // lines that wait to be written
  std::uint64_t file_bytes = 16 * 1024 * 1024;  // then the file is put aside as "<name>.1"
  int files = 4;                                // with the one that is written
};

// May change a line before it is written; called on the writing thread.
using LineFilter = std::function<void(std::string& line)>;

struct TelemetryStats {
  std::uint64_t written = 0;
  std::uint64_t dropped = 0;  // the queue was full
  std::uint64_t failed = 0;   // the disk said no
  std::uint64_t rotations = 0;
};

class TelemetrySink {
 public:
  // Creates the file, private (0600). kIoError or kNotFound when it cannot be opened.
  static Result<TelemetrySink> Open(std::filesystem::path path, TelemetryLimits limits = {},
                                    LineFilter filter = {});
  TelemetrySink(TelemetrySink&&) noexcept;
  TelemetrySink& operator=(TelemetrySink&&) noexcept;
  // Closes. Lines that were lost are logged as a number.
  ~TelemetrySink();

  // Hands a line over, without its newline. False when it was dropped. Never waits for the disk.
  bool TryWrite(std::string line);
  // Writes what waits, and says what became of all lines. The sink takes nothing more.
  TelemetryStats Close();

 private:
  class Writer;
  explicit TelemetrySink(std::unique_ptr<Writer> writer);
  std::unique_ptr<Writer> writer_;
};

}  // namespace falconer::kernel
