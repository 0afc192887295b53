#include "app/desk/option_values.h"

#include <ctime>
#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"

namespace falconer::app {
namespace {

constexpr std::size_t kMaxReasonBytes = 200;

std::optional<std::int64_t> ParseDate(const std::string& text) {
  std::tm parts{};
  const char* end = ::strptime(text.c_str(), "%Y-%m-%d", &parts);
  if (end != nullptr && *end == 'T') end = ::strptime(end, "T%H:%M:%SZ", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return static_cast<std::int64_t>(::timegm(&parts)) * 1000;
}

}  // namespace

Result<std::string> ReasonOf(const Arguments& arguments) {
  if (arguments.reason.empty()) return Fail(ErrorCode::kInvalidArgument, "--reason: say why");
  return OptionalReasonOf(arguments);
}

Result<std::string> OptionalReasonOf(const Arguments& arguments) {
  if (arguments.reason.size() <= kMaxReasonBytes) return arguments.reason;
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("--reason: at most {} bytes", kMaxReasonBytes));
}

Result<std::optional<std::chrono::seconds>> SecondsOf(std::string_view option,
                                                      const std::string& text) {
  if (text.empty()) return std::optional<std::chrono::seconds>();
  const auto duration = ParseDuration(text);
  if (duration && duration->count() % 1000 == 0) {
    return std::chrono::duration_cast<std::chrono::seconds>(*duration);
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: \"{}\" is no duration of whole seconds, such as 90s", option, text));
}

Result<std::uint64_t> NumberOf(std::string_view option, const std::string& text,
                               std::uint64_t least, std::uint64_t most) {
  const auto number = ParseWhole<std::uint64_t>(text);
  if (number && *number >= least && *number <= most) return *number;
  return Fail(
      ErrorCode::kInvalidArgument,
      fmt::format("{}: \"{}\" is not a whole number from {} to {}", option, text, least, most));
}

Result<std::int64_t> TimeOf(std::string_view option, const std::string& text) {
  if (const auto number = ParseWhole(text)) return *number;
  if (const auto date = ParseDate(text)) return *date;
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: \"{}\" is no time: write 2026-01-31, 2026-01-31T10:00:00Z or "
                          "milliseconds since 1970",
                          option, text));
}

int Refuse(const Arguments& arguments, Terminal& terminal, const Error& error) {
  PrintError(terminal, arguments.form(), error);
  const bool is_usage =
      error.code() == ErrorCode::kInvalidArgument || error.code() == ErrorCode::kInvalidSetting;
  return is_usage ? kExitUsage : kExitFailed;
}

}  // namespace falconer::app
