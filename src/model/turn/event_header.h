#pragma once
// EventHeader: what every event and every control signal carries. Nothing is filled in or bent into
// shape: what does not fit is refused.

#include <cstdint>
#include <optional>
#include <string>

#include "base/ids.h"
#include "base/json/json_reader.h"
#include "model/turn/lane.h"

namespace falconer::model {

inline constexpr std::string_view kEventSchemaVersion = "v1.0";
// The largest number that canonical JSON carries exactly.
inline constexpr std::int64_t kMaxEventNumber = (std::int64_t{1} << 53) - 1;
inline constexpr Bounds<std::int64_t> kEventNumbers{0, kMaxEventNumber};

enum class EventScope : std::uint8_t { kSession, kTurn };

inline constexpr EnumName<EventScope> kEventScopes[] = {
    {EventScope::kSession, "session"},
    {EventScope::kTurn, "turn"},
};

// What kind of content the payload is, for masking and retention.
enum class PayloadClass : std::uint8_t {
  kMetadata,
  kDerivedSummary,
  kTextRaw,
  kAudioRaw,
  kPii,
  kPhi,
};

inline constexpr EnumName<PayloadClass> kPayloadClasses[] = {
    {PayloadClass::kMetadata, "metadata"}, {PayloadClass::kDerivedSummary, "derived_summary"},
    {PayloadClass::kTextRaw, "text_raw"},  {PayloadClass::kAudioRaw, "audio_raw"},
    {PayloadClass::kPii, "PII"},           {PayloadClass::kPhi, "PHI"},
};

struct EventHeader {
  std::string schema_version{kEventSchemaVersion};
  EventScope scope = EventScope::kSession;
  SessionId session;
  TurnId turn;  // required for scope turn
  std::string pipeline_version;
  std::string event_id;
  Lane lane = Lane::kData;
  std::int64_t transport_sequence = 0;
  std::int64_t runtime_sequence = 0;
  std::optional<std::int64_t> authority_epoch;  // required for scope turn
  std::int64_t runtime_timestamp_ms = 0;
  std::int64_t wall_clock_timestamp_ms = 0;
  std::optional<std::int64_t> timestamp_ms;  // when it happened, as its source says
  PayloadClass payload_class = PayloadClass::kMetadata;
  TraceId trace;  // the W3C traceparent of the call it comes from; "" when it comes from none

  // kInvalidArgument, naming the field after `path`, when a rule is broken.
  Result<void> Validate(std::string_view path) const;
  bool operator==(const EventHeader&) const = default;
};

// The header's fields of a larger object.
EventHeader ReadEventHeader(JsonReader& in);
void WriteEventHeader(json::object& out, const EventHeader& header);

// "path.field: why", with the field in the details.
std::unexpected<Error> RefuseField(std::string_view path, std::string_view field,
                                   std::string_view why);

}  // namespace falconer::model
