#pragma once
// NetworkLog: the newest network events, numbered without gaps, so that "since this action" is a
// number and what has been lost can be counted.

#include <cstdint>
#include <deque>
#include <vector>

#include "model/network.h"

namespace falconer::browser {

class NetworkLog {
 public:
  // Keeps at most `bound` events; the oldest go first.
  explicit NetworkLog(std::size_t bound);

  // Gives the event its number. The reference holds until the next call.
  model::NetworkEvent& Append(model::NetworkEvent event);
  // The event with this number, or null when it is gone.
  model::NetworkEvent* Find(std::uint64_t seq);

  // The number of the newest event; 0 before the first.
  std::uint64_t last_seq() const { return last_seq_; }
  // All that are kept, oldest first.
  const std::deque<model::NetworkEvent>& events() const { return events_; }
  // Those after `seq` that are kept, and how many are not.
  std::vector<model::NetworkEvent> Since(std::uint64_t seq) const;
  std::size_t DroppedSince(std::uint64_t seq) const;

 private:
  std::size_t bound_;
  std::uint64_t last_seq_ = 0;
  std::deque<model::NetworkEvent> events_;
};

}  // namespace falconer::browser
