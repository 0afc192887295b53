#include "app/telemetry/span_queue.h"

#include <algorithm>
#include <utility>

namespace falconer::app {

bool SpanQueue::Put(std::vector<model::Span> trace, TimePoint now) {
  const std::lock_guard lock(mutex_);
  if (waiting_.size() + taken_ + trace.size() > most_) {
    meter_.dropped += trace.size();
    return false;
  }
  for (model::Span& span : trace) waiting_.push_back({std::move(span), now});
  return true;
}

std::vector<model::Span> SpanQueue::Next(std::size_t most) {
  const std::lock_guard lock(mutex_);
  std::vector<model::Span> next;
  if (!waiting_.empty()) taken_since_ = waiting_.front().since;
  while (!waiting_.empty() && next.size() < most) {
    next.push_back(std::move(waiting_.front().span));
    waiting_.pop_front();
  }
  taken_ = next.size();
  return next;
}

void SpanQueue::Done(std::size_t exported, std::size_t failed) {
  const std::lock_guard lock(mutex_);
  taken_ = 0;
  meter_.exported += exported;
  meter_.failures += failed;
}

void SpanQueue::NoteRetry() {
  const std::lock_guard lock(mutex_);
  ++meter_.retries;
}

std::size_t SpanQueue::size() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

engine::ExportMeter SpanQueue::meter(TimePoint now) const {
  const std::lock_guard lock(mutex_);
  engine::ExportMeter told = meter_;
  told.queue_depth = waiting_.size() + taken_;
  if (told.queue_depth == 0) return told;
  const TimePoint oldest = taken_ > 0 ? taken_since_ : waiting_.front().since;
  told.lag = std::chrono::duration_cast<std::chrono::milliseconds>(now - oldest);
  return told;
}

}  // namespace falconer::app
