#pragma once
// TimeZone: local time by the system's zone files (IANA names), also beyond the transitions they
// list. Read once; asking it afterwards touches no file and no global state.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "policy/rules/zone_rule.h"

namespace falconer::policy {

// The day of the week and the minutes since midnight, as a clock on the wall shows them.
struct LocalTime {
  int weekday = 0;  // 0 is Monday
  int minute = 0;   // of the day
  bool operator==(const LocalTime&) const = default;
};

class TimeZone {
 public:
  // Coordinated universal time; needs no file.
  TimeZone();
  // "Europe/Berlin". Fails with kInvalidArgument for what is no name of a zone, with kNotFound when
  // the folder lacks it, and with kIoError when its file cannot be read or is damaged.
  static Result<TimeZone> Load(std::string_view name,
                               const std::filesystem::path& folder = "/usr/share/zoneinfo");
  // The content of a zone file (RFC 8536, version 2 and later).
  static Result<TimeZone> Parse(std::string_view content);

  std::chrono::seconds OffsetAt(std::chrono::sys_seconds time) const;
  LocalTime At(std::chrono::system_clock::time_point time) const;

 private:
  struct Transition {
    std::int64_t at;      // seconds since the epoch
    std::int32_t offset;  // seconds east, from then on
  };

  std::int32_t first_offset_ = 0;  // before all transitions
  std::vector<Transition> transitions_;
  ZoneRule rule_;  // after the last one
};

}  // namespace falconer::policy
