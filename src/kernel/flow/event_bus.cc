#include "kernel/flow/event_bus.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/async/notifier.h"
#include "base/log.h"

namespace falconer::kernel {

using model::Lane;
using model::SignalKind;

struct BusSubscription::Listener {
  Listener(const Clock& clock, const EventStamper& session, std::string its_name,
           const LaneLimits& limits)
      : stamper(session.ForEdge(its_name)),
        name(std::move(its_name)),
        lanes(clock, limits, [this](Lane lane, LanePressure pressure) { Note(lane, pressure); }) {}

  // A signal about one of this listener's lanes.
  model::ControlSignal About(SignalKind kind, model::Emitter emitter, Lane lane) {
    model::ControlSignal signal = stamper.SessionSignal(kind, emitter, {});
    signal.edge_id = name;
    signal.target_lane = lane;
    return signal;
  }

  // Pressure of the data lane concerns whoever produces for it, so the listener hears of it, too:
  // after the lane is done with what it does now.
  void Note(Lane lane, LanePressure pressure) {
    if (lane != Lane::kData) return;
    if (pressure == LanePressure::kLow) {
      notices.push_back(About(SignalKind::kFlowXon, model::Emitter::kFlow, lane));
      return;
    }
    for (auto [kind, emitter] : {std::pair{SignalKind::kWatermark, model::Emitter::kBuffer},
                                 std::pair{SignalKind::kFlowXoff, model::Emitter::kFlow}}) {
      notices.push_back(About(kind, emitter, lane));
      notices.back().reason = "high_watermark";
    }
  }

  void PushNotices() {
    for (model::ControlSignal& notice : std::exchange(notices, {})) {
      const auto event = std::make_shared<const BusEvent>(std::move(notice));
      is_cut_off = is_cut_off || lanes.Push(event) == LanePush::kOverrun;
    }
  }

  EventStamper stamper;
  std::string name;
  std::vector<model::ControlSignal> notices;
  LaneQueues lanes;
  Notifier changed;
  bool is_cut_off = false;
  bool is_bus_gone = false;
};

namespace {

// Where events should be: what is missing, and why.
template <typename Listener>
BusEventPtr NoticeOf(Listener& listener, const LaneGap& gap) {
  model::ControlSignal notice =
      listener.About(SignalKind::kDropNotice, model::Emitter::kBuffer, gap.lane);
  notice.reason = model::RowOf(gap.lane).lost_reason;
  notice.seq_range = gap.range;
  notice.amount = static_cast<std::int64_t>(gap.count);
  return std::make_shared<const BusEvent>(std::move(notice));
}

}  // namespace

BusSubscription::BusSubscription(std::shared_ptr<Listener> listener)
    : listener_(std::move(listener)) {
}

BusSubscription::~BusSubscription() = default;

BusEventPtr BusSubscription::Take(Listener& listener) {
  const std::optional<LaneItem> item = listener.lanes.Pop();
  listener.PushNotices();
  if (!item) return nullptr;
  if (const auto* gap = std::get_if<LaneGap>(&*item)) return NoticeOf(listener, *gap);
  return std::get<BusEventPtr>(*item);
}

BusEventPtr BusSubscription::TryNext() {
  return Take(*listener_);
}

Task<Result<BusEventPtr>> BusSubscription::Next(CallContext ctx) {
  return NextOf(listener_, std::move(ctx));
}

Task<Result<BusEventPtr>> BusSubscription::NextOf(std::shared_ptr<Listener> listener,
                                                  CallContext ctx) {
  CO_TRY(co_await listener->changed.Until(
      ctx,
      [listener] {
        return !listener->lanes.is_empty() || listener->is_cut_off || listener->is_bus_gone;
      },
      "an event"));
  if (BusEventPtr event = Take(*listener)) co_return event;
  if (listener->is_cut_off) {
    co_return Fail(ErrorCode::kQueueFull,
                   fmt::format("listener {} could not keep up with control", listener->name));
  }
  co_return Fail(ErrorCode::kSessionClosed, "the session has ended");
}

const LaneQueues& BusSubscription::lanes() const {
  return listener_->lanes;
}

bool BusSubscription::is_cut_off() const {
  return listener_->is_cut_off;
}

EventBus::EventBus(const Clock& clock, const EventStamper& stamper, DecisionSink& decisions)
    : clock_(clock), stamper_(stamper), decisions_(decisions) {
}

EventBus::~EventBus() {
  for (const auto& weak : listeners_) {
    const auto listener = weak.lock();
    if (!listener) continue;
    listener->is_bus_gone = true;
    listener->changed.NotifyAll();
  }
}

BusSubscription EventBus::Subscribe(std::string name, const LaneLimits& limits) {
  std::erase_if(listeners_, [](const auto& weak) { return weak.expired(); });
  auto listener = std::make_shared<Listener>(clock_, stamper_, std::move(name), limits);
  listeners_.push_back(listener);
  return BusSubscription(std::move(listener));
}

void EventBus::Emit(const model::ControlSignal& signal) {
  Publish(signal);
}

void EventBus::Emit(const model::EventRecord& event) {
  Publish(event);
}

template <typename T>
void EventBus::Publish(const T& event) {
  if (const Result<void> valid = event.Validate(); !valid) {
    ++stats_.refused;
    LOG(error, "bus.refused", {"why", valid.error().message()});
    return;
  }
  ++stats_.published;
  const auto shared = std::make_shared<const BusEvent>(event);
  for (const auto& weak : listeners_) {
    if (const auto listener = weak.lock()) Deliver(*listener, shared);
  }
}

void EventBus::Deliver(Listener& listener, const BusEventPtr& event) {
  if (listener.is_cut_off) return;
  const LanePush pushed = listener.lanes.Push(event);
  if (pushed == LanePush::kQueuedAfterLoss) ++stats_.lost;
  if (pushed == LanePush::kShed) RecordShed(listener, HeaderOf(*event));
  if (pushed == LanePush::kOverrun) listener.is_cut_off = true;
  listener.PushNotices();
  if (listener.is_cut_off) {
    ++stats_.cut_off;
    LOG(warn, "bus.cut_off", {"listener", listener.name});
  }
  listener.changed.NotifyAll();
}

void EventBus::RecordShed(Listener& listener, const model::EventHeader& header) {
  ++stats_.shed;
  model::DecisionOutcome decision{.kind = model::DecisionKind::kShed,
                                  .phase = model::DecisionPhase::kSchedulingPoint,
                                  .scope = model::DecisionScope::kEdgeEnqueue,
                                  .turn = header.turn,
                                  .emitted_by = model::Emitter::kAdmission,
                                  .authority_epoch = header.authority_epoch,
                                  .reason = std::string(model::RowOf(header.lane).lost_reason)};
  decision.details = {{"edge", listener.name}, {"runtime_sequence", header.runtime_sequence}};
  listener.stamper.Stamp(decision);
  decisions_.Record(decision);
}

std::size_t EventBus::depth(model::Lane lane) const {
  std::size_t sum = 0;
  for (const auto& weak : listeners_) {
    if (const auto listener = weak.lock()) sum += listener->lanes.depth(lane);
  }
  return sum;
}

std::size_t EventBus::listeners() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(listeners_, [](const auto& weak) { return !weak.expired(); }));
}

}  // namespace falconer::kernel
