#include "browser/tabs/screencast.h"

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "base/log.h"

namespace falconer::browser {
namespace {

struct Limit {
  std::string_view name;
  int ScreencastOptions::* member;
  int min;
  int max;
};

constexpr Limit kLimits[] = {
    {"quality", &ScreencastOptions::quality, 0, 100},
    {"max_width", &ScreencastOptions::max_width, 16, 8192},
    {"max_height", &ScreencastOptions::max_height, 16, 8192},
    {"every_nth", &ScreencastOptions::every_nth, 1, 600},
    {"max_unacked", &ScreencastOptions::max_unacked, 1, 16},
};

Result<void> Check(const ScreencastOptions& options) {
  for (const Limit& limit : kLimits) {
    const int value = options.*limit.member;
    if (value >= limit.min && value <= limit.max) continue;
    return Fail(ErrorCode::kInvalidArgument, std::string(limit.name) + ": must be from " +
                                                 std::to_string(limit.min) + " to " +
                                                 std::to_string(limit.max));
  }
  return {};
}

}  // namespace

struct FrameReceipt::Ack {
  void Send() {
    if (std::exchange(is_sent, true)) return;
    if (const auto to = session.lock()) to->Post(cdp::PageScreencastFrameAck{.session_id = frame});
  }

  std::weak_ptr<cdp::Session> session;
  std::int64_t frame = 0;
  bool is_sent = false;
};

FrameReceipt& FrameReceipt::operator=(FrameReceipt&& other) noexcept {
  if (this == &other) return *this;
  Acknowledge();
  ack_ = std::move(other.ack_);
  return *this;
}

void FrameReceipt::Acknowledge() {
  if (const auto ack = std::exchange(ack_, nullptr)) ack->Send();
}

Screencast::Screencast(std::shared_ptr<Tab> tab)
    : tab_(std::move(tab)), sinks_(std::make_shared<std::vector<FrameSink*>>()) {
  subscriptions_.push_back(
      tab_->session()->On<cdp::PageScreencastFrame>([this](const auto& event) { OnFrame(event); }));
  subscriptions_.push_back(tab_->OnCrashed([this] { End(tab_->Alive().error()); }));
  subscriptions_.push_back(tab_->OnClosed([this] { End(tab_->Alive().error()); }));
}

Screencast::~Screencast() {
  if (is_running_) tab_->session()->Post(cdp::PageStopScreencast{});
}

Task<Result<void>> Screencast::Start(CallContext ctx, ScreencastOptions options) {
  CO_TRY(Check(options));
  CO_TRY(tab_->Alive());
  cdp::Session& page = *tab_->session();
  if (is_begun_) page.Post(cdp::PageStopScreencast{});
  is_running_ = is_begun_ = true;
  const auto started = co_await page.Send(
      std::move(ctx), cdp::PageStartScreencast{.format = "jpeg",
                                               .quality = options.quality,
                                               .max_width = options.max_width,
                                               .max_height = options.max_height,
                                               .every_nth_frame = options.every_nth,
                                               .max_frames_in_flight = options.max_unacked});
  if (started) co_return Result<void>();
  // Watchers of a screencast that was to go on differently must not wait for ever.
  End(started.error());
  co_return std::unexpected(started.error());
}

Task<void> Screencast::Stop(CallContext ctx) {
  if (!is_running_) co_return;
  auto stopped = tab_->session()->Post(cdp::PageStopScreencast{});
  End(Error(ErrorCode::kCancelled, "the screencast was stopped"));
  const auto answered = co_await stopped.Wait(std::move(ctx));
}

Subscription Screencast::Watch(FrameSink& sink) {
  sinks_->push_back(&sink);
  Subscription watching([weak = std::weak_ptr(sinks_), raw = &sink] {
    if (const auto sinks = weak.lock()) std::erase(*sinks, raw);
  });
  if (last_ && is_running_) sink.OnFrame(last_, FrameReceipt());
  return watching;
}

void Screencast::OnFrame(const cdp::PageScreencastFrame& event) {
  const auto ack = std::make_shared<FrameReceipt::Ack>(
      FrameReceipt::Ack{.session = tab_->session(), .frame = event.session_id});
  auto jpeg = DecodeBase64(event.data);
  if (!is_running_ || !jpeg) return ack->Send();
  const auto& about = event.metadata;
  last_ = std::make_shared<const ScreencastFrame>(
      ScreencastFrame{.seq = ++last_seq_,
                      .jpeg = *std::move(jpeg),
                      .device_width = about.device_width.value_or(0),
                      .device_height = about.device_height.value_or(0),
                      .scroll_x = about.scroll_offset_x.value_or(0),
                      .scroll_y = about.scroll_offset_y.value_or(0),
                      .page_scale = about.page_scale_factor.value_or(1),
                      .timestamp = about.timestamp.value_or(0)});
  if (sinks_->empty()) return ack->Send();
  // A copy: a watcher may leave, or another come, while they are told.
  const auto sinks = *sinks_;
  const auto frame = last_;
  for (FrameSink* sink : sinks) {
    if (std::ranges::find(*sinks_, sink) == sinks_->end()) continue;
    sink->OnFrame(frame, FrameReceipt(ack));
  }
}

void Screencast::End(const Error& reason) {
  if (!std::exchange(is_running_, false)) return;
  last_.reset();
  const auto sinks = *sinks_;
  for (FrameSink* sink : sinks) {
    if (std::ranges::find(*sinks_, sink) != sinks_->end()) sink->OnEnd(reason);
  }
}

}  // namespace falconer::browser
