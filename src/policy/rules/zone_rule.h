#pragma once
// ZoneRule: the rule at the end of a zone file, which says how the clock goes on after the last
// listed transition: "CET-1CEST,M3.5.0,M10.5.0/3".

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace falconer::policy {

class ZoneRule {
 public:
  // Always `offset` seconds east.
  explicit ZoneRule(std::int32_t offset = 0) : standard_(offset), summer_(offset) {}
  // Nothing when the text is not such a rule.
  static std::optional<ZoneRule> Parse(std::string_view text);

  // Seconds east at a time.
  std::int32_t OffsetAt(std::int64_t seconds) const;

 private:
  // When in a year the clock changes.
  struct Change {
    enum class Form : std::uint8_t { kMonthWeekDay, kDayWithoutLeap, kDayOfYear };
    Form form = Form::kMonthWeekDay;
    int month = 1;
    int week = 1;                  // 5 is the last one
    int day = 0;                   // of the week (0 is Sunday) or of the year
    std::int32_t time = 2 * 3600;  // seconds after midnight, local; may be negative
  };

  static bool ReadChange(std::string_view& text, Change& change);
  // Seconds since the epoch at which the change comes, for a clock that shows `offset` before it.
  static std::int64_t TimeOf(const Change& change, std::chrono::year year, std::int32_t offset);

  std::int32_t standard_ = 0;
  std::int32_t summer_ = 0;
  bool changes_ = false;
  Change to_summer_;
  Change to_standard_;
};

}  // namespace falconer::policy
