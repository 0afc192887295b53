#pragma once
// SpanQueue: spans that wait to be exported, and the count of what became of them. Bounded: a trace
// for which there is no room is dropped as a whole, and counted. Thread safe.

#include <deque>
#include <mutex>
#include <vector>

#include "base/async/clock.h"
#include "engine/span_sink.h"

namespace falconer::app {

class SpanQueue {
 public:
  explicit SpanQueue(std::size_t most) : most_(most) {}

  // False when it was dropped.
  bool Put(std::vector<model::Span> trace, TimePoint now);
  // The next ones, in the order they came. They count as waiting until Done().
  std::vector<model::Span> Next(std::size_t most);
  // What became of those that were taken last.
  void Done(std::size_t exported, std::size_t failed);
  void NoteRetry();

  // Those that were not taken yet.
  std::size_t size() const;
  engine::ExportMeter meter(TimePoint now) const;

 private:
  struct Waiting {
    model::Span span;
    TimePoint since;
  };

  const std::size_t most_;
  mutable std::mutex mutex_;
  std::deque<Waiting> waiting_;
  std::size_t taken_ = 0;
  TimePoint taken_since_{};
  engine::ExportMeter meter_;
};

}  // namespace falconer::app
