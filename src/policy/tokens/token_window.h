#pragma once
// TokenWindow: the hours of the day, on some days of the week, in which a token holds.
//
//   {"after": "09:00", "before": "17:30", "days": ["mon", "tue"], "utc_offset": "+02:00"}
//
// "before" may be the smaller one: then the window ends on the next day. Without days it is every
// day; without an offset the hours are those of UTC.

#include <chrono>
#include <cstdint>

#include "base/async/clock.h"
#include "base/json/json_reader.h"
#include "model/enum_set.h"

namespace falconer::policy {

enum class TokenDay : std::uint8_t { kSun, kMon, kTue, kWed, kThu, kFri, kSat };

inline constexpr EnumName<TokenDay> kTokenDays[] = {
    {TokenDay::kSun, "sun"}, {TokenDay::kMon, "mon"}, {TokenDay::kTue, "tue"},
    {TokenDay::kWed, "wed"}, {TokenDay::kThu, "thu"}, {TokenDay::kFri, "fri"},
    {TokenDay::kSat, "sat"},
};

struct TokenWindow {
  std::chrono::minutes after{0};
  std::chrono::minutes before{0};
  model::EnumSet<TokenDay> days;  // on which the window begins
  std::chrono::minutes utc_offset{0};

  bool Contains(WallTime time) const;
  bool operator==(const TokenWindow&) const = default;
};

// kInvalidArgument naming the member.
Result<TokenWindow> ParseTokenWindow(const json::value& value);
json::object ToJson(const TokenWindow& window);

}  // namespace falconer::policy
