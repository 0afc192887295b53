#pragma once
// SpanSink: where the spans of turns go, and how that goes.

#include <chrono>
#include <cstdint>
#include <vector>

#include "model/turn/span.h"

namespace falconer::engine {

struct ExportMeter {
  std::uint64_t exported = 0;
  std::uint64_t dropped = 0;   // more came than could wait
  std::uint64_t failures = 0;  // were given up after every try, or refused
  std::uint64_t retries = 0;   // tries after the first
  std::size_t queue_depth = 0;
  std::chrono::milliseconds lag{0};  // how long the oldest that waits has waited
};

class SpanSink {
 public:
  virtual ~SpanSink() = default;
  // Takes the spans of one trace or leaves them; never waits. Any thread.
  virtual void Take(std::vector<model::Span> spans) = 0;
  virtual ExportMeter meter() const = 0;
};

}  // namespace falconer::engine
