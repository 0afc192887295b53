#pragma once
// Span: one stretch of work in a trace, as it was observed.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/json/json.h"

namespace falconer::model {

// With the numbers of OpenTelemetry.
enum class SpanKind : std::uint8_t {
  kInternal = 1,
  kServer = 2,  // what somebody asked for
  kClient = 3,  // what was asked of somebody else
};

struct Span {
  std::string trace_id;   // 32 hex digits
  std::string span_id;    // 16 hex digits
  std::string parent_id;  // 16 hex digits; "" for the first of a trace
  std::string name;       // one of few: "turn", "attempt"
  SpanKind kind = SpanKind::kInternal;
  std::chrono::system_clock::time_point begin;
  std::chrono::system_clock::time_point end;
  json::object attributes;           // texts, numbers and flags
  std::optional<ErrorCode> failure;  // what it ended with; nothing when all went well
};

}  // namespace falconer::model
