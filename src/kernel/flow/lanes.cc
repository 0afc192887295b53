#include "kernel/flow/lanes.h"

#include <algorithm>
#include <utility>

namespace falconer::kernel {

using model::Lane;
using model::LaneOverflow;

const model::EventHeader& HeaderOf(const BusEvent& event) {
  return std::visit([](const auto& one) -> const model::EventHeader& { return one.header; }, event);
}

LaneQueues::LaneQueues(const Clock& clock, const LaneLimits& limits, OnPressure on_pressure)
    : clock_(clock), on_pressure_(std::move(on_pressure)) {
  const std::pair<Lane, std::size_t> bounds[] = {
      {Lane::kControl, limits.control},
      {Lane::kData, limits.data},
      {Lane::kTelemetry, limits.telemetry},
  };
  for (const auto& [lane, bound] : bounds) QueueOf(lane).bound = std::max<std::size_t>(bound, 1);
  QueueOf(Lane::kControl).reserve = limits.control_reserve;
}

LanePush LaneQueues::Push(BusEventPtr event) {
  const model::EventHeader& header = HeaderOf(*event);
  const Lane lane = header.lane;
  Queued item{
      .event = std::move(event), .sequence = header.runtime_sequence, .since = clock_.Now()};
  if (QueueOf(lane).items.size() >= QueueOf(lane).bound) return PushFull(lane, std::move(item));
  Add(lane, std::move(item));
  return LanePush::kQueued;
}

LanePush LaneQueues::PushFull(Lane lane, Queued item) {
  Queue& queue = QueueOf(lane);
  switch (model::RowOf(lane).overflow) {
    case LaneOverflow::kNeverLose:
      if (queue.items.size() >= queue.bound + queue.reserve) return LanePush::kOverrun;
      Add(lane, std::move(item));
      return LanePush::kQueued;
    case LaneOverflow::kShedNewest:
      Lose(lane, queue, item.sequence);
      return LanePush::kShed;
    case LaneOverflow::kDropOldest:
      Lose(lane, queue, queue.items.front().sequence);
      queue.items.pop_front();
      Add(lane, std::move(item));
      return LanePush::kQueuedAfterLoss;
  }
  std::unreachable();
}

void LaneQueues::Add(Lane lane, Queued item) {
  Queue& queue = QueueOf(lane);
  queue.items.push_back(std::move(item));
  queue.stats.deepest = std::max(queue.stats.deepest, queue.items.size());
  NotePressure(lane);
}

void LaneQueues::Lose(Lane lane, Queue& queue, std::int64_t sequence) {
  ++queue.stats.lost;
  if (!queue.gap) queue.gap = LaneGap{.lane = lane, .range = {sequence, sequence}, .count = 0};
  queue.gap->range.end = sequence;
  ++queue.gap->count;
}

std::optional<LaneItem> LaneQueues::Pop() {
  for (const model::LaneRow& row : model::kLaneRows) {
    if (std::optional<LaneItem> item = PopFrom(row.lane)) return item;
  }
  return std::nullopt;
}

std::optional<LaneItem> LaneQueues::PopFrom(Lane lane) {
  Queue& queue = QueueOf(lane);
  // The gap stands where the lost ones would have been.
  const bool is_gap_next =
      queue.gap && (queue.items.empty() || queue.items.front().sequence > queue.gap->range.start);
  if (is_gap_next) return LaneItem(*std::exchange(queue.gap, std::nullopt));
  if (queue.items.empty()) return std::nullopt;
  Queued item = std::move(queue.items.front());
  queue.items.pop_front();
  ++queue.stats.delivered;
  if (lane == Lane::kControl) Measure(item);
  NotePressure(lane);
  return LaneItem(std::move(item.event));
}

void LaneQueues::Measure(const Queued& item) {
  const Duration waited = clock_.Now() - item.since;
  ++preempt_delay_.count;
  preempt_delay_.total += waited;
  preempt_delay_.worst = std::max(preempt_delay_.worst, waited);
}

void LaneQueues::NotePressure(Lane lane) {
  Queue& queue = QueueOf(lane);
  const std::size_t depth = queue.items.size();
  const bool was_high = queue.is_high;
  if (depth >= std::max<std::size_t>(queue.bound / 2, 1)) queue.is_high = true;
  if (depth <= queue.bound / 4) queue.is_high = false;
  if (was_high == queue.is_high || !on_pressure_) return;
  on_pressure_(lane, queue.is_high ? LanePressure::kHigh : LanePressure::kLow);
}

bool LaneQueues::is_empty() const {
  return std::ranges::all_of(queues_,
                             [](const Queue& queue) { return queue.items.empty() && !queue.gap; });
}

std::size_t LaneQueues::depth(Lane lane) const {
  return QueueOf(lane).items.size();
}

const LaneStats& LaneQueues::stats(Lane lane) const {
  return QueueOf(lane).stats;
}

}  // namespace falconer::kernel
