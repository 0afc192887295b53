#include "browser/stream/stream_hub.h"

#include <algorithm>
#include <utility>

namespace falconer::browser {

StreamHub::StreamHub(Executor executor, Clock& clock, SessionManager& sessions,
                     StreamOptions options)
    : executor_(executor),
      clock_(clock),
      sessions_(sessions),
      options_(options),
      tasks_(std::move(executor)) {
}

Result<std::shared_ptr<LiveViewer>> StreamHub::Watch(const SessionKey& key) {
  if (!options_.is_enabled)
    return Fail(ErrorCode::kUnsupported, "streams are off; set stream.enabled");
  if (is_stopped_) return Fail(ErrorCode::kSessionClosed, "the server ends");
  if (viewers() >= options_.max_viewers) {
    return Fail(ErrorCode::kQueueFull,
                std::to_string(options_.max_viewers) + " watch already (stream.viewers)");
  }
  ForgetClosed();
  auto found = streams_.find(key);
  if (found == streams_.end() || found->second->is_over()) {
    if (sessions_.Find(key) == nullptr)
      return Fail(ErrorCode::kNotFound, "there is no session " + key.workflow.value());
    auto made = std::make_shared<LiveStream>(executor_, clock_, sessions_, key, options_);
    found = streams_.insert_or_assign(key, std::move(made)).first;
  }
  const std::shared_ptr<LiveStream> stream = found->second;
  std::shared_ptr<LiveViewer> viewer = stream->Join();
  if (!stream->is_running()) tasks_.Spawn("stream", Serve(key, stream));
  // The stream stays for as long as somebody watches it.
  return std::shared_ptr<LiveViewer>(
      viewer.get(), [stream, held = viewer](LiveViewer*) mutable { held.reset(); });
}

Task<void> StreamHub::Serve(SessionKey key, std::shared_ptr<LiveStream> stream) {
  co_await stream->Run();
  const auto found = streams_.find(key);
  const bool is_ours = found != streams_.end() && found->second == stream;
  if (is_ours && stream->is_over()) streams_.erase(found);
}

// What nobody watches is kept for its last picture, and that as long as the session is there.
void StreamHub::ForgetClosed() {
  std::erase_if(streams_, [this](const auto& row) {
    return !row.second->is_running() && sessions_.Find(row.first) == nullptr;
  });
}

std::optional<StreamInfo> StreamHub::InfoOf(const SessionKey& key) const {
  const auto found = streams_.find(key);
  if (found == streams_.end() || found->second->viewers() == 0) return std::nullopt;
  return found->second->Info();
}

std::size_t StreamHub::streams() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(streams_, [](const auto& row) { return row.second->viewers() > 0; }));
}

std::size_t StreamHub::viewers() const {
  std::size_t count = 0;
  for (const auto& [key, stream] : streams_) count += stream->viewers();
  return count;
}

Task<void> StreamHub::Stop(Error why) {
  is_stopped_ = true;
  const auto streams = streams_;
  for (const auto& [key, stream] : streams) stream->End(why);
  co_await tasks_.Join();
}

}  // namespace falconer::browser
