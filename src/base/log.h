#pragma once
// Log: one JSON object per line. LOG(info, "action.done", {"turn", id}, {"ms", took}): a constant
// dotted event name, then typed fields. info is one line per action, warn is degraded but served,
// error wants a person. Page content and secrets never go here.

#include <concepts>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"

namespace falconer {

enum class LogLevel { kDebug, kInfo, kWarn, kError, kOff };

struct LogField {
  template <typename T>
  LogField(std::string_view name, const T& from) : key(name), value(ToValue(from)) {}

  std::string_view key;
  json::value value;

 private:
  static json::value ToValue(std::string_view text) { return json::value(text); }
  template <typename T>
    requires(!std::convertible_to<const T&, std::string_view>)
  static json::value ToValue(const T& other) {
    return json::value(other);
  }
};

// Receives each finished line, without the newline. Called from any thread, one call at a time.
using LogSink = std::function<void(std::string_view line)>;
// Sees every field before it is written and may replace its value.
using LogRedactor = std::function<void(std::string_view key, json::value& value)>;

std::string_view LogLevelName(LogLevel level);
std::optional<LogLevel> ParseLogLevel(std::string_view name);

bool IsLogged(LogLevel level);
void SetLogLevel(LogLevel level);
// Replaces where lines go; an empty sink means standard error, which is also the start.
void SetLogSink(LogSink sink);
// A sink that appends to a file, which is created private (0600). kIoError or kNotFound when it
// cannot be opened.
Result<LogSink> OpenLogFile(const std::filesystem::path& path);
void SetLogRedactor(LogRedactor redactor);
void WriteLog(LogLevel level, std::string_view event, std::initializer_list<LogField> fields);

// The names that LOG's first argument may have.
namespace log_level {
inline constexpr LogLevel debug = LogLevel::kDebug;  // NOLINT(readability-identifier-naming)
inline constexpr LogLevel info = LogLevel::kInfo;    // NOLINT(readability-identifier-naming)
inline constexpr LogLevel warn = LogLevel::kWarn;    // NOLINT(readability-identifier-naming)
inline constexpr LogLevel error = LogLevel::kError;  // NOLINT(readability-identifier-naming)
}  // namespace log_level

}  // namespace falconer

// The fields are not evaluated when the level is off.
#define LOG(level, event, ...)                                                  \
  do {                                                                          \
    if (::falconer::IsLogged(::falconer::log_level::level))                     \
      ::falconer::WriteLog(::falconer::log_level::level, event, {__VA_ARGS__}); \
  } while (false)
