#include "model/turn/event.h"

namespace falconer::model {
namespace {

constexpr std::string_view kPath = "event_record";

MediaTime ReadMediaTime(JsonReader& in) {
  constexpr Bounds<std::int64_t> kNumbers{0, kMaxEventNumber};
  return {.sample_index = in.OptionalInteger("sample_index", kNumbers),
          .pts_ms = in.OptionalInteger("pts_ms", kNumbers)};
}

EventRecord ReadEvent(JsonReader& in) {
  return {.header = ReadEventHeader(in),
          .kind = in.OptionalString("kind").value_or(""),
          .media_time = in.OptionalObject("media_time", ReadMediaTime),
          .payload = in.OptionalRawObject("payload").value_or(json::object())};
}

bool IsTime(std::optional<std::int64_t> value) {
  return !value || (*value >= 0 && *value <= kMaxEventNumber);
}

Result<void> CheckMediaTime(const EventRecord& event) {
  if (!event.media_time) {
    if (event.header.payload_class != PayloadClass::kAudioRaw) return {};
    return RefuseField(kPath, "media_time", "is required for audio_raw");
  }
  const MediaTime& time = *event.media_time;
  if (!time.sample_index && !time.pts_ms) {
    return RefuseField(kPath, "media_time", "needs sample_index or pts_ms");
  }
  if (!IsTime(time.sample_index) || !IsTime(time.pts_ms)) {
    return RefuseField(kPath, "media_time", "is negative or too large");
  }
  return {};
}

json::object MediaTimeJson(const MediaTime& time) {
  json::object out;
  if (time.sample_index) out["sample_index"] = *time.sample_index;
  if (time.pts_ms) out["pts_ms"] = *time.pts_ms;
  return out;
}

}  // namespace

Result<void> EventRecord::Validate() const {
  TRY(header.Validate(kPath));
  if (header.lane == Lane::kControl) {
    return RefuseField(kPath, "lane", "control is for control signals");
  }
  return CheckMediaTime(*this);
}

json::object EventRecord::ToJson() const {
  json::object out;
  WriteEventHeader(out, header);
  if (!kind.empty()) out["kind"] = kind;
  if (media_time) out["media_time"] = MediaTimeJson(*media_time);
  if (!payload.empty()) out["payload"] = payload;
  return out;
}

Result<EventRecord> ParseEvent(const json::value& value) {
  TRY_ASSIGN(EventRecord event, ReadJson(value, std::string(kPath), ReadEvent));
  TRY(event.Validate());
  return event;
}

}  // namespace falconer::model
