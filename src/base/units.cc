#include "base/units.h"

#include <ctime>
#include <fmt/chrono.h>
#include <limits>
#include <span>

#include "base/text.h"

namespace falconer {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
};

// Smallest first; the first is what a plain number means.
constexpr Unit kDurations[] = {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
constexpr Unit kBytes[] = {
    {"B", 1}, {"KiB", 1LL << 10}, {"MiB", 1LL << 20}, {"GiB", 1LL << 30}, {"TiB", 1LL << 40}};

std::optional<std::int64_t> Parse(std::string_view text, std::span<const Unit> units) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view name = text.substr(digits);
  const std::optional<std::int64_t> count = ParseWhole(text.substr(0, digits));
  if (!count) return std::nullopt;
  for (const Unit& unit : units) {
    if (name != unit.name && !(name.empty() && unit.factor == 1)) continue;
    if (*count > std::numeric_limits<std::int64_t>::max() / unit.factor) return std::nullopt;
    return *count * unit.factor;
  }
  return std::nullopt;
}

std::string Format(std::int64_t value, std::span<const Unit> units) {
  const Unit* best = &units.front();
  for (const Unit& unit : units) {
    if (value != 0 && value % unit.factor == 0) best = &unit;
  }
  return std::to_string(value / best->factor) + std::string(best->name);
}

}  // namespace

std::optional<std::chrono::milliseconds> ParseDuration(std::string_view text) {
  const std::optional<std::int64_t> count = Parse(text, kDurations);
  if (!count) return std::nullopt;
  return std::chrono::milliseconds(*count);
}

std::string FormatDuration(std::chrono::milliseconds duration) {
  return Format(duration.count(), kDurations);
}

std::string IsoTime(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", fmt::gmtime(seconds));
}

std::optional<std::int64_t> ParseBytes(std::string_view text) {
  return Parse(text, kBytes);
}

std::string FormatBytes(std::int64_t bytes) {
  return Format(bytes, kBytes);
}

}  // namespace falconer
