#include "model/turn/event_header.h"

#include <algorithm>
#include <fmt/format.h>

#include "model/turn/trace_context.h"

namespace falconer::model {
namespace {

// "v1.0" or "v1.0.2".
bool IsSchemaVersion(std::string_view text) {
  if (!text.starts_with('v')) return false;
  text.remove_prefix(1);
  int parts = 0;
  while (true) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0) return false;
    ++parts;
    text.remove_prefix(digits);
    if (text.empty()) return parts == 2 || parts == 3;
    if (text[0] != '.') return false;
    text.remove_prefix(1);
  }
}

Result<void> CheckNumbers(const EventHeader& header, std::string_view path) {
  const std::pair<std::string_view, std::int64_t> numbers[] = {
      {"transport_sequence", header.transport_sequence},
      {"runtime_sequence", header.runtime_sequence},
      {"authority_epoch", header.authority_epoch.value_or(0)},
      {"runtime_timestamp_ms", header.runtime_timestamp_ms},
      {"wall_clock_timestamp_ms", header.wall_clock_timestamp_ms},
      {"timestamp_ms", header.timestamp_ms.value_or(0)},
  };
  for (const auto& [field, number] : numbers) {
    if (!kEventNumbers.Contains(number))
      return RefuseField(path, field, "is negative or too large");
  }
  return {};
}

}  // namespace

std::unexpected<Error> RefuseField(std::string_view path, std::string_view field,
                                   std::string_view why) {
  return std::unexpected(Error(ErrorCode::kInvalidArgument,
                               fmt::format("{}.{}: {}", path, field, why),
                               {{"field", fmt::format("{}.{}", path, field)}}));
}

Result<void> EventHeader::Validate(std::string_view path) const {
  if (!IsSchemaVersion(schema_version)) {
    return RefuseField(path, "schema_version", "must look like v1.0");
  }
  const std::pair<std::string_view, const std::string*> texts[] = {
      {"session_id", &session.value()},
      {"pipeline_version", &pipeline_version},
      {"event_id", &event_id},
  };
  for (const auto& [field, text] : texts) {
    if (text->empty()) return RefuseField(path, field, "is required");
  }
  if (scope == EventScope::kTurn && turn.empty()) {
    return RefuseField(path, "turn_id", "is required in scope turn");
  }
  if (scope == EventScope::kTurn && !authority_epoch) {
    return RefuseField(path, "authority_epoch", "is required in scope turn");
  }
  if (!trace.empty()) {
    const auto parsed = ParseTraceparent(trace.value());
    if (!parsed) return RefuseField(path, "traceparent", parsed.error().message());
  }
  return CheckNumbers(*this, path);
}

EventHeader ReadEventHeader(JsonReader& in) {
  return {.schema_version = in.String("schema_version"),
          .scope = in.Enum("event_scope", kEventScopes),
          .session = SessionId(in.String("session_id")),
          .turn = TurnId(in.OptionalString("turn_id").value_or("")),
          .pipeline_version = in.String("pipeline_version"),
          .event_id = in.String("event_id"),
          .lane = in.Enum("lane", kLanes),
          .transport_sequence = in.Integer("transport_sequence", kEventNumbers),
          .runtime_sequence = in.Integer("runtime_sequence", kEventNumbers),
          .authority_epoch = in.OptionalInteger("authority_epoch", kEventNumbers),
          .runtime_timestamp_ms = in.Integer("runtime_timestamp_ms", kEventNumbers),
          .wall_clock_timestamp_ms = in.Integer("wall_clock_timestamp_ms", kEventNumbers),
          .timestamp_ms = in.OptionalInteger("timestamp_ms", kEventNumbers),
          .payload_class = in.Enum("payload_class", kPayloadClasses),
          .trace = TraceId(in.OptionalString("traceparent").value_or(""))};
}

void WriteEventHeader(json::object& out, const EventHeader& header) {
  out["schema_version"] = header.schema_version;
  out["event_scope"] = NameIn(kEventScopes, header.scope);
  out["session_id"] = header.session.value();
  if (!header.turn.empty()) out["turn_id"] = header.turn.value();
  out["pipeline_version"] = header.pipeline_version;
  out["event_id"] = header.event_id;
  out["lane"] = NameIn(kLanes, header.lane);
  out["transport_sequence"] = header.transport_sequence;
  out["runtime_sequence"] = header.runtime_sequence;
  if (header.authority_epoch) out["authority_epoch"] = *header.authority_epoch;
  out["runtime_timestamp_ms"] = header.runtime_timestamp_ms;
  out["wall_clock_timestamp_ms"] = header.wall_clock_timestamp_ms;
  if (header.timestamp_ms) out["timestamp_ms"] = *header.timestamp_ms;
  out["payload_class"] = NameIn(kPayloadClasses, header.payload_class);
  if (!header.trace.empty()) out["traceparent"] = header.trace.value();
}

}  // namespace falconer::model
