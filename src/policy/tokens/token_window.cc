#include "policy/tokens/token_window.h"

#include <fmt/format.h>
#include <optional>

#include "base/text.h"

namespace falconer::policy {
namespace {

using std::chrono::minutes;

// Samoa is 14 hours ahead.
constexpr minutes kMostOffset = std::chrono::hours(14);
constexpr unsigned kDaysOfWeek = 7;

// "HH:MM".
std::optional<minutes> ParseHours(std::string_view text) {
  if (text.size() != 5 || text[2] != ':' || !IsDigit(text[0]) || !IsDigit(text[3])) {
    return std::nullopt;
  }
  const std::optional<int> hour = ParseWhole<int>(text.substr(0, 2));
  const std::optional<int> minute = ParseWhole<int>(text.substr(3));
  if (!hour || !minute || *hour > 23 || *minute > 59) return std::nullopt;
  return std::chrono::hours(*hour) + minutes(*minute);
}

minutes ReadHours(JsonReader& in, std::string_view key) {
  const std::optional<minutes> hours = ParseHours(in.String(key));
  if (!hours) in.Reject(key, "expected hours such as 09:30");
  return hours.value_or(minutes(0));
}

minutes ReadOffset(JsonReader& in) {
  const std::string text = in.OptionalString("utc_offset").value_or("+00:00");
  const bool has_sign = text.starts_with('+') || text.starts_with('-');
  const std::optional<minutes> hours =
      has_sign ? ParseHours(std::string_view(text).substr(1)) : std::nullopt;
  if (!hours || *hours > kMostOffset) {
    in.Reject("utc_offset", "expected an offset such as +02:00");
    return minutes(0);
  }
  return text.front() == '-' ? -*hours : *hours;
}

model::EnumSet<TokenDay> ReadDays(JsonReader& in) {
  model::EnumSet<TokenDay> days;
  const auto names = in.OptionalStrings("days", {.min = 1});
  if (!names) {
    for (const EnumName<TokenDay>& row : kTokenDays) days.Add(row.value);
    return days;
  }
  for (const std::string& name : *names) {
    const std::optional<TokenDay> day = ValueIn(kTokenDays, name);
    if (!day) in.Reject("days", "expected days such as mon");
    if (day) days.Add(*day);
  }
  return days;
}

TokenWindow ReadWindow(JsonReader& in) {
  TokenWindow window{.after = ReadHours(in, "after"),
                     .before = ReadHours(in, "before"),
                     .days = ReadDays(in),
                     .utc_offset = ReadOffset(in)};
  if (window.after == window.before) in.Reject("before", "the window is empty");
  return window;
}

std::string HoursText(minutes time) {
  return fmt::format("{:02}:{:02}", time.count() / 60, time.count() % 60);
}

std::string OffsetText(minutes offset) {
  return (offset < minutes(0) ? "-" : "+") + HoursText(std::chrono::abs(offset));
}

}  // namespace

bool TokenWindow::Contains(WallTime time) const {
  const auto local = std::chrono::floor<minutes>(time) + utc_offset;
  const auto day = std::chrono::floor<std::chrono::days>(local);
  const minutes hours = local - day;
  const unsigned today = std::chrono::weekday(day).c_encoding();
  const unsigned yesterday = (today + kDaysOfWeek - 1) % kDaysOfWeek;
  const auto begins_on = [this](unsigned number) {
    return days.Contains(static_cast<TokenDay>(number));
  };
  if (after < before) return hours >= after && hours < before && begins_on(today);
  return (hours >= after && begins_on(today)) || (hours < before && begins_on(yesterday));
}

Result<TokenWindow> ParseTokenWindow(const json::value& value) {
  return ReadJson(value, "time_windows", ReadWindow);
}

json::object ToJson(const TokenWindow& window) {
  json::array days;
  for (const EnumName<TokenDay>& row : kTokenDays) {
    if (window.days.Contains(row.value)) days.emplace_back(row.name);
  }
  return {{"after", HoursText(window.after)},
          {"before", HoursText(window.before)},
          {"days", std::move(days)},
          {"utc_offset", OffsetText(window.utc_offset)}};
}

}  // namespace falconer::policy
