#pragma once
// EventRecord: one thing that happened, on the data or the telemetry lane.

#include <optional>

#include "model/turn/event_header.h"

namespace falconer::model {

// Where in a recording an event is; at least one of the two.
struct MediaTime {
  std::optional<std::int64_t> sample_index;
  std::optional<std::int64_t> pts_ms;
  bool operator==(const MediaTime&) const = default;
};

struct EventRecord {
  EventHeader header;
  std::string kind;                     // what happened: "page_loaded", "attempt_failed"
  std::optional<MediaTime> media_time;  // required for audio_raw
  json::object payload;

  // kInvalidArgument, naming the field, when a rule is broken.
  Result<void> Validate() const;
  json::object ToJson() const;
  bool operator==(const EventRecord&) const = default;
};

// Strict: unknown fields, wrong types and broken rules are refused.
Result<EventRecord> ParseEvent(const json::value& value);

}  // namespace falconer::model
