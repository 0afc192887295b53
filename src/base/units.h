#pragma once
// Durations, sizes and times as people write them: "500ms", "20s", "5m", "1h"; "512", "64KiB",
// "512MiB"; "2026-01-31T10:00:00Z".

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace falconer {

// A duration that is not negative; a plain number means milliseconds. Nothing when the text is
// anything else or does not fit.
std::optional<std::chrono::milliseconds> ParseDuration(std::string_view text);
// In the largest unit that needs no fraction: "90s", "30m", "0ms".
std::string FormatDuration(std::chrono::milliseconds duration);

// A time on the wall in UTC, to the second: "2026-01-31T10:00:00Z".
std::string IsoTime(std::chrono::system_clock::time_point time);

// A size in bytes; a plain number means bytes, units are B, KiB, MiB, GiB and TiB.
std::optional<std::int64_t> ParseBytes(std::string_view text);
std::string FormatBytes(std::int64_t bytes);

}  // namespace falconer
