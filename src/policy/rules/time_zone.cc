#include "policy/rules/time_zone.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "base/file.h"
#include "base/text.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kMaxZoneName = 64;
constexpr std::size_t kMaxZoneBytes = 256 << 10;
constexpr std::size_t kZoneHeader = 44;
constexpr std::size_t kZoneTypeBytes = 6;
constexpr std::int32_t kMaxZoneOffset = 26 * 3600;

bool IsZoneCharacter(char c) {
  return IsLetterOrDigit(c) || c == '_' || c == '-' || c == '+' || c == '/';
}

// Only names that stay inside the folder.
bool IsZoneName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxZoneName && IsLetter(name.front()) &&
         !name.ends_with('/') && !name.contains("//") && std::ranges::all_of(name, IsZoneCharacter);
}

// A signed number, most significant byte first.
std::int64_t BigEndian(std::string_view bytes) {
  const bool is_negative = (static_cast<unsigned char>(bytes.front()) & 0x80U) != 0;
  std::uint64_t value = is_negative ? ~std::uint64_t{0} : 0;
  for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return static_cast<std::int64_t>(value);
}

// The counts in a header, in the order in which they stand there.
struct ZoneCounts {
  std::size_t is_ut = 0;
  std::size_t is_standard = 0;
  std::size_t leaps = 0;
  std::size_t times = 0;
  std::size_t types = 0;
  std::size_t names = 0;

  // Bytes of the block behind the header, with `width` bytes per time.
  std::size_t BlockBytes(std::size_t width) const {
    return times * (width + 1) + types * kZoneTypeBytes + names + leaps * (width + 4) +
           is_standard + is_ut;
  }
};

std::optional<ZoneCounts> ReadZoneCounts(std::string_view content) {
  if (content.size() < kZoneHeader || !content.starts_with("TZif")) return std::nullopt;
  ZoneCounts counts;
  std::size_t at = 20;
  for (std::size_t* count : {&counts.is_ut, &counts.is_standard, &counts.leaps, &counts.times,
                             &counts.types, &counts.names}) {
    const std::int64_t value = BigEndian(content.substr(at, 4));
    if (value < 0 || value > static_cast<std::int64_t>(kMaxZoneBytes)) return std::nullopt;
    *count = static_cast<std::size_t>(value);
    at += 4;
  }
  return counts;
}

// The block with the times of 64 bits; long enough for its counts.
class ZoneBlock {
 public:
  ZoneBlock(std::string_view content, const ZoneCounts& counts)
      : times_(content.substr(0, counts.times * 8)),
        kinds_(content.substr(times_.size(), counts.times)),
        types_(content.substr(times_.size() + kinds_.size(), counts.types * kZoneTypeBytes)) {}

  std::int64_t TimeOf(std::size_t index) const { return BigEndian(times_.substr(index * 8, 8)); }
  std::int32_t OffsetOfType(std::size_t type) const {
    return static_cast<std::int32_t>(BigEndian(types_.substr(type * kZoneTypeBytes, 4)));
  }
  // From the transition on; nothing when it names no type or no offset that a clock can have.
  std::optional<std::int32_t> OffsetOf(std::size_t index) const {
    const std::size_t type = static_cast<unsigned char>(kinds_[index]);
    if (type * kZoneTypeBytes >= types_.size()) return std::nullopt;
    const std::int32_t offset = OffsetOfType(type);
    if (offset < -kMaxZoneOffset || offset > kMaxZoneOffset) return std::nullopt;
    return offset;
  }

 private:
  std::string_view times_;
  std::string_view kinds_;
  std::string_view types_;
};

std::unexpected<Error> DamagedZone() {
  return Fail(ErrorCode::kIoError, "the zone file is damaged");
}

}  // namespace

TimeZone::TimeZone() = default;

Result<TimeZone> TimeZone::Load(std::string_view name, const std::filesystem::path& folder) {
  if (!IsZoneName(name)) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("\"{}\" is no name of a zone", name));
  }
  if (name == "UTC") return TimeZone();
  const std::filesystem::path path = folder / name;
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("there is no time zone \"{}\" in {}", name, folder.string()));
  }
  TRY_ASSIGN(const std::string content, ReadFile(path, kMaxZoneBytes + 1));
  auto zone = Parse(content);
  if (!zone) return std::unexpected(std::move(zone).error().In(path.string()));
  return zone;
}

Result<TimeZone> TimeZone::Parse(std::string_view content) {
  const std::optional<ZoneCounts> old = ReadZoneCounts(content);
  // The first block is for programs of 32 bits; everything stands again in the second.
  if (!old || content.size() > kMaxZoneBytes || content[4] < '2') return DamagedZone();
  const std::size_t skipped = kZoneHeader + old->BlockBytes(4);
  if (content.size() < skipped) return DamagedZone();
  content.remove_prefix(skipped);
  const std::optional<ZoneCounts> counts = ReadZoneCounts(content);
  if (!counts || counts->types == 0) return DamagedZone();
  content.remove_prefix(kZoneHeader);
  if (content.size() < counts->BlockBytes(8)) return DamagedZone();
  const ZoneBlock block(content, *counts);
  TimeZone zone;
  zone.first_offset_ = block.OffsetOfType(0);
  for (std::size_t i = 0; i < counts->times; ++i) {
    const std::optional<std::int32_t> offset = block.OffsetOf(i);
    const Transition next{.at = block.TimeOf(i), .offset = offset.value_or(0)};
    const bool is_in_order = i == 0 || zone.transitions_.back().at < next.at;
    if (!offset || !is_in_order) return DamagedZone();
    zone.transitions_.push_back(next);
  }
  const std::string_view footer = Trim(content.substr(counts->BlockBytes(8)));
  const std::int32_t last =
      zone.transitions_.empty() ? zone.first_offset_ : zone.transitions_.back().offset;
  const std::optional<ZoneRule> rule =
      footer.empty() ? std::optional(ZoneRule(last)) : ZoneRule::Parse(footer);
  if (!rule) return DamagedZone();
  zone.rule_ = *rule;
  return zone;
}

std::chrono::seconds TimeZone::OffsetAt(std::chrono::sys_seconds time) const {
  const std::int64_t seconds = time.time_since_epoch().count();
  const auto next = std::ranges::upper_bound(transitions_, seconds, {}, &Transition::at);
  if (next == transitions_.end()) return std::chrono::seconds(rule_.OffsetAt(seconds));
  if (next == transitions_.begin()) return std::chrono::seconds(first_offset_);
  return std::chrono::seconds(std::prev(next)->offset);
}

LocalTime TimeZone::At(std::chrono::system_clock::time_point time) const {
  namespace chrono = std::chrono;
  const chrono::sys_seconds universal = chrono::floor<chrono::seconds>(time);
  const chrono::sys_seconds local = universal + OffsetAt(universal);
  const chrono::sys_days day = chrono::floor<chrono::days>(local);
  constexpr unsigned kMondayIsOne = 1;
  return {.weekday = static_cast<int>(chrono::weekday(day).iso_encoding() - kMondayIsOne),
          .minute = static_cast<int>(chrono::floor<chrono::minutes>(local - day).count())};
}

}  // namespace falconer::policy
