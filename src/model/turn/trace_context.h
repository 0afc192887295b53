#pragma once
// TraceContext: the W3C trace context (traceparent) that joins a turn to its caller's trace.

#include <string>
#include <string_view>

#include "base/error.h"

namespace falconer::model {

enum class TraceSampling { kNotSampled, kSampled };

struct TraceContext {
  std::string trace_id;  // 32 lower-case hex digits, not all zero
  std::string span_id;   // 16 lower-case hex digits, not all zero
  TraceSampling sampling = TraceSampling::kNotSampled;
  bool operator==(const TraceContext&) const = default;

  // Starts a trace of our own.
  static TraceContext NewRoot(TraceSampling sampling);
  // A new span of the same trace.
  TraceContext Child() const;
  // "00-<trace>-<span>-01"
  std::string Traceparent() const;
};

// What something with an id is traced as: a span in the trace of `traceparent`, or, where that is
// empty or no traceparent, in a trace of its own. Both follow from the id, so that who has it finds
// them. What a caller got wrong is never a reason to refuse him.
TraceContext TraceOf(std::string_view id, std::string_view traceparent);
// The span of a part of something that is a span itself.
std::string PartSpanId(std::string_view whole, std::string_view part);

// Strict: fails with kInvalidArgument for upper case, wrong lengths, zero ids and version ff. A
// later version is read by its first four parts, as the standard asks.
Result<TraceContext> ParseTraceparent(std::string_view text);

}  // namespace falconer::model
