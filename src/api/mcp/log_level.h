#pragma once
// How grave a message of a server to its client is: the levels of syslog, mildest first.

#include <cstdint>

#include "base/json/json_reader.h"

namespace falconer::api {

enum class LogLevel : std::uint8_t {
  kDebug,
  kInfo,
  kNotice,
  kWarning,
  kError,
  kCritical,
  kAlert,
  kEmergency,
};

inline constexpr EnumName<LogLevel> kLogLevels[] = {
    {LogLevel::kDebug, "debug"},   {LogLevel::kInfo, "info"},
    {LogLevel::kNotice, "notice"}, {LogLevel::kWarning, "warning"},
    {LogLevel::kError, "error"},   {LogLevel::kCritical, "critical"},
    {LogLevel::kAlert, "alert"},   {LogLevel::kEmergency, "emergency"},
};

}  // namespace falconer::api
