#include "policy/rules/zone_rule.h"

#include <algorithm>

#include "base/text.h"

namespace falconer::policy {
namespace {

constexpr std::int32_t kSecondsPerHour = 3600;
constexpr int kMaxRuleHours = 167;  // RFC 8536 allows a week either way

bool TakeChar(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// A number of at most three digits.
std::optional<int> TakeNumber(std::string_view& text, int min, int max) {
  int value = 0;
  std::size_t digits = 0;
  while (digits < text.size() && digits < 3 && IsDigit(text[digits])) {
    value = value * 10 + (text[digits++] - '0');
  }
  text.remove_prefix(digits);
  if (digits == 0 || value < min || value > max) return std::nullopt;
  return value;
}

// A name of a zone: letters, or anything in angle brackets.
bool TakeZoneName(std::string_view& text) {
  if (TakeChar(text, '<')) {
    const std::size_t end = text.find('>');
    if (end == text.npos || end == 0) return false;
    text.remove_prefix(end + 1);
    return true;
  }
  const auto end = std::ranges::find_if_not(text, IsLetter);
  const auto length = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(length);
  return length >= 3;
}

// "[+-]hh[:mm[:ss]]" in seconds.
std::optional<std::int32_t> TakeTime(std::string_view& text) {
  const bool is_negative = TakeChar(text, '-');
  if (!is_negative) TakeChar(text, '+');
  const std::optional<int> hours = TakeNumber(text, 0, kMaxRuleHours);
  if (!hours) return std::nullopt;
  std::int32_t seconds = *hours * kSecondsPerHour;
  for (const std::int32_t unit : {60, 1}) {
    if (!TakeChar(text, ':')) break;
    const std::optional<int> part = TakeNumber(text, 0, 59);
    if (!part) return std::nullopt;
    seconds += *part * unit;
  }
  return is_negative ? -seconds : seconds;
}

}  // namespace

bool ZoneRule::ReadChange(std::string_view& text, Change& change) {
  std::optional<int> day;
  if (TakeChar(text, 'M')) {
    const std::optional<int> month = TakeNumber(text, 1, 12);
    if (!month || !TakeChar(text, '.')) return false;
    const std::optional<int> week = TakeNumber(text, 1, 5);
    if (!week || !TakeChar(text, '.')) return false;
    change.month = *month;
    change.week = *week;
    day = TakeNumber(text, 0, 6);
  } else {
    const bool skips_leap_day = TakeChar(text, 'J');
    change.form = skips_leap_day ? Change::Form::kDayWithoutLeap : Change::Form::kDayOfYear;
    day = TakeNumber(text, skips_leap_day ? 1 : 0, 365);
  }
  if (!day) return false;
  change.day = *day;
  if (!TakeChar(text, '/')) return true;
  const std::optional<std::int32_t> time = TakeTime(text);
  change.time = time.value_or(0);
  return time.has_value();
}

std::optional<ZoneRule> ZoneRule::Parse(std::string_view text) {
  if (!TakeZoneName(text)) return std::nullopt;
  const std::optional<std::int32_t> west = TakeTime(text);
  if (!west) return std::nullopt;
  ZoneRule rule(-*west);
  if (text.empty()) return rule;
  if (!TakeZoneName(text)) return std::nullopt;
  rule.changes_ = true;
  rule.summer_ = rule.standard_ + kSecondsPerHour;
  if (!text.starts_with(',')) {
    const std::optional<std::int32_t> summer = TakeTime(text);
    if (!summer) return std::nullopt;
    rule.summer_ = -*summer;
  }
  const bool is_whole = TakeChar(text, ',') && ReadChange(text, rule.to_summer_) &&
                        TakeChar(text, ',') && ReadChange(text, rule.to_standard_) && text.empty();
  return is_whole ? std::optional(rule) : std::nullopt;
}

std::int64_t ZoneRule::TimeOf(const Change& change, std::chrono::year year, std::int32_t offset) {
  namespace chrono = std::chrono;
  chrono::sys_days day = chrono::sys_days(year / 1 / 1);
  if (change.form == Change::Form::kMonthWeekDay) {
    const chrono::weekday weekday(static_cast<unsigned>(change.day));
    const chrono::month month(static_cast<unsigned>(change.month));
    day = change.week == 5
              ? chrono::sys_days(year / month / weekday[chrono::last])
              : chrono::sys_days(year / month / weekday[static_cast<unsigned>(change.week)]);
  } else if (change.form == Change::Form::kDayOfYear) {
    day += chrono::days(change.day);
  } else {
    constexpr int kLastOfFebruary = 59;
    const bool is_shifted = year.is_leap() && change.day > kLastOfFebruary;
    day += chrono::days(change.day - 1 + (is_shifted ? 1 : 0));
  }
  return chrono::sys_seconds(day).time_since_epoch().count() + change.time - offset;
}

std::int32_t ZoneRule::OffsetAt(std::int64_t seconds) const {
  if (!changes_) return standard_;
  const std::chrono::sys_seconds local{std::chrono::seconds(seconds + standard_)};
  const std::chrono::year year =
      std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(local)).year();
  const std::int64_t begin = TimeOf(to_summer_, year, standard_);
  const std::int64_t end = TimeOf(to_standard_, year, summer_);
  // South of the equator the summer lies around the turn of the year.
  const bool is_summer =
      begin < end ? seconds >= begin && seconds < end : seconds >= begin || seconds < end;
  return is_summer ? summer_ : standard_;
}

}  // namespace falconer::policy
