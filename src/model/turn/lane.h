#pragma once
// The three lanes events travel in, and what each does when it is full: one row per lane. The order
// is the priority.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/json/json_reader.h"

namespace falconer::model {

enum class Lane : std::uint8_t { kControl, kData, kTelemetry };

inline constexpr EnumName<Lane> kLanes[] = {
    {Lane::kControl, "control"},
    {Lane::kData, "data"},
    {Lane::kTelemetry, "telemetry"},
};

enum class LaneOverflow : std::uint8_t {
  kNeverLose,   // a reserve; once that is used up too, the reader is cut off, visibly
  kShedNewest,  // the new event is refused, with a decision on record
  kDropOldest,  // the freshest are kept; the reader is told what it missed
};

struct LaneRow {
  Lane lane;
  std::size_t bound;
  LaneOverflow overflow;
  std::string_view lost_reason;  // what a notice of loss says
};

inline constexpr LaneRow kLaneRows[] = {
    {Lane::kControl, 32, LaneOverflow::kNeverLose, "control_reserve_exhausted"},
    {Lane::kData, 128, LaneOverflow::kShedNewest, "lane_queue_capacity_exceeded"},
    {Lane::kTelemetry, 128, LaneOverflow::kDropOldest, "telemetry_best_effort_drop"},
};

constexpr const LaneRow& RowOf(Lane lane) {
  return kLaneRows[static_cast<std::size_t>(lane)];
}

}  // namespace falconer::model
