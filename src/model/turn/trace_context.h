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

// What a call is to be traced as: a new span in the trace of `traceparent`, or, where that is empty
// or no traceparent, in a trace of its own. What a caller got wrong is never a reason to refuse
// him.
TraceContext TraceFor(std::string_view traceparent);

// Strict: fails with kInvalidArgument for upper case, wrong lengths, zero ids and version ff. A
// later version is read by its first four parts, as the standard asks.
Result<TraceContext> ParseTraceparent(std::string_view text);

}  // namespace falconer::model
