#pragma once
// LaneQueues: what one reader has yet to read, in three bounded lanes. Control comes before data,
// data before telemetry. When a lane fills up the reader's side is told once (and once again when
// it has emptied), and what is lost is never lost silently: a notice stands where the gap is.
// Belongs to one strand.

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <variant>

#include "base/async/clock.h"
#include "model/turn/event.h"
#include "model/turn/lane.h"
#include "model/turn/signal.h"

namespace falconer::kernel {

// One event or signal, shared by all who read it.
using BusEvent = std::variant<model::EventRecord, model::ControlSignal>;
using BusEventPtr = std::shared_ptr<const BusEvent>;

const model::EventHeader& HeaderOf(const BusEvent& event);

struct LaneLimits {
  std::size_t control = model::RowOf(model::Lane::kControl).bound;
  std::size_t control_reserve = 32;  // beyond the bound: control is never shed
  std::size_t data = model::RowOf(model::Lane::kData).bound;
  std::size_t telemetry = model::RowOf(model::Lane::kTelemetry).bound;
};

// Events of one lane that were not delivered.
struct LaneGap {
  model::Lane lane = model::Lane::kTelemetry;
  model::SeqRange range;  // of the lost ones, inclusive; others may lie between
  std::uint64_t count = 0;
};

// What a reader reads: an event, or a gap where events should be.
using LaneItem = std::variant<BusEventPtr, LaneGap>;

enum class LanePressure : std::uint8_t { kHigh, kLow };

struct LaneStats {
  std::uint64_t delivered = 0;
  std::uint64_t lost = 0;
  std::size_t deepest = 0;
};

// How long control signals waited until they were read.
struct PreemptDelay {
  std::uint64_t count = 0;
  Duration total{0};
  Duration worst{0};
};

enum class LanePush : std::uint8_t {
  kQueued,
  kQueuedAfterLoss,  // older telemetry went
  kShed,             // the lane is full: the event was refused
  kOverrun,          // control beyond its reserve: this reader must be cut off
};

class LaneQueues {
 public:
  // Told once when a lane reaches its high mark, and once when it is back at its low mark.
  using OnPressure = std::function<void(model::Lane, LanePressure)>;

  // The clock must outlive this. High is half of a bound, low a quarter.
  LaneQueues(const Clock& clock, const LaneLimits& limits, OnPressure on_pressure);

  LanePush Push(BusEventPtr event);
  // The most urgent item, if there is one.
  std::optional<LaneItem> Pop();

  bool is_empty() const;
  std::size_t depth(model::Lane lane) const;
  const LaneStats& stats(model::Lane lane) const;
  const PreemptDelay& preempt_delay() const { return preempt_delay_; }

 private:
  struct Queued {
    BusEventPtr event;
    std::int64_t sequence;
    TimePoint since;
  };
  struct Queue {
    std::size_t bound = 1;
    std::size_t reserve = 0;
    std::deque<Queued> items;
    std::optional<LaneGap> gap;  // one at a time: losses in a row are one gap
    bool is_high = false;
    LaneStats stats;
  };

  Queue& QueueOf(model::Lane lane) { return queues_[static_cast<std::size_t>(lane)]; }
  const Queue& QueueOf(model::Lane lane) const { return queues_[static_cast<std::size_t>(lane)]; }
  LanePush PushFull(model::Lane lane, Queued item);
  void Add(model::Lane lane, Queued item);
  static void Lose(model::Lane lane, Queue& queue, std::int64_t sequence);
  std::optional<LaneItem> PopFrom(model::Lane lane);
  void Measure(const Queued& item);
  void NotePressure(model::Lane lane);

  const Clock& clock_;
  OnPressure on_pressure_;
  std::array<Queue, std::size(model::kLaneRows)> queues_;
  PreemptDelay preempt_delay_;
};

}  // namespace falconer::kernel
