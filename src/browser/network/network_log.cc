#include "browser/network/network_log.h"

#include <algorithm>
#include <utility>

namespace falconer::browser {

NetworkLog::NetworkLog(std::size_t bound) : bound_(std::max<std::size_t>(bound, 1)) {
}

model::NetworkEvent& NetworkLog::Append(model::NetworkEvent event) {
  event.seq = ++last_seq_;
  if (events_.size() == bound_) events_.pop_front();
  return events_.emplace_back(std::move(event));
}

model::NetworkEvent* NetworkLog::Find(std::uint64_t seq) {
  if (events_.empty() || seq < events_.front().seq || seq > last_seq_) return nullptr;
  return &events_[static_cast<std::size_t>(seq - events_.front().seq)];
}

std::vector<model::NetworkEvent> NetworkLog::Since(std::uint64_t seq) const {
  const auto first = std::ranges::find_if(
      events_, [seq](const model::NetworkEvent& event) { return event.seq > seq; });
  return {first, events_.end()};
}

std::size_t NetworkLog::DroppedSince(std::uint64_t seq) const {
  if (events_.empty() || events_.front().seq <= seq + 1) return 0;
  return static_cast<std::size_t>(events_.front().seq - seq - 1);
}

}  // namespace falconer::browser
