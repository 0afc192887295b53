#pragma once
// EventBus: tells everybody who listens to a session what happens in it. Each listener has lanes of
// its own, so that a slow one loses telemetry, then data, and in the end itself, but never holds up
// a turn or another listener. Belongs to the session's strand.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/async/call_context.h"
#include "kernel/flow/lanes.h"
#include "kernel/turn/event_stamper.h"
#include "kernel/turn/sinks.h"

namespace falconer::kernel {

struct BusStats {
  std::uint64_t published = 0;
  std::uint64_t refused = 0;  // events that were not valid
  std::uint64_t shed = 0;     // data events some listener did not get
  std::uint64_t lost = 0;     // telemetry that made room for newer, by listener
  std::uint64_t cut_off = 0;  // listeners that could not even keep up with control
};

// One listener's end. Letting go of it unsubscribes.
class BusSubscription {
 public:
  BusSubscription(BusSubscription&&) noexcept = default;
  BusSubscription& operator=(BusSubscription&&) noexcept = default;
  ~BusSubscription();

  // The next event, as the listener sees it: gaps come as drop_notice signals. Fails with
  // kQueueFull once the listener was cut off and has read what it had, kSessionClosed once the bus
  // is gone, and like ctx.
  Task<Result<BusEventPtr>> Next(CallContext ctx);
  // The next event if there is one.
  BusEventPtr TryNext();

  const LaneQueues& lanes() const;
  bool is_cut_off() const;

 private:
  friend class EventBus;
  struct Listener;
  explicit BusSubscription(std::shared_ptr<Listener> listener);
  static BusEventPtr Take(Listener& listener);
  static Task<Result<BusEventPtr>> NextOf(std::shared_ptr<Listener> listener, CallContext ctx);
  std::shared_ptr<Listener> listener_;
};

class EventBus final : public EventSink {
 public:
  // All must outlive the bus and its subscriptions. Shed data is decided and goes on record.
  EventBus(const Clock& clock, const EventStamper& stamper, DecisionSink& decisions);
  ~EventBus() override;
  EventBus(const EventBus&) = delete;
  EventBus& operator=(const EventBus&) = delete;

  // `name` says who listens, in notices and decisions; it MUST be an id (see CheckIdText).
  BusSubscription Subscribe(std::string name, const LaneLimits& limits = {});

  // Refused, and counted, when not valid. Neither waits.
  void Emit(const model::ControlSignal& signal) override;
  void Emit(const model::EventRecord& event) override;

  const BusStats& stats() const { return stats_; }
  // What all listeners have yet to read of a lane.
  std::size_t depth(model::Lane lane) const;
  std::size_t listeners() const;

 private:
  using Listener = BusSubscription::Listener;
  template <typename T>
  void Publish(const T& event);
  void Deliver(Listener& listener, const BusEventPtr& event);
  void RecordShed(Listener& listener, const model::EventHeader& header);

  const Clock& clock_;
  const EventStamper& stamper_;
  DecisionSink& decisions_;
  std::vector<std::weak_ptr<Listener>> listeners_;
  BusStats stats_;
};

}  // namespace falconer::kernel
