#include "net/egress/warm_sockets.h"

#include <algorithm>
#include <utility>

namespace falconer::net {

bool WarmSockets::HasRoomFor(const WarmPlace& place) const {
  return rows_.size() < kMost && std::ranges::find(rows_, place, &Row::place) == rows_.end();
}

std::uint64_t WarmSockets::Expect(WarmPlace place) {
  rows_.push_back({.number = ++last_, .place = std::move(place), .reached = std::nullopt});
  return last_;
}

void WarmSockets::Keep(std::uint64_t number, ReachedHost reached) {
  const auto row = std::ranges::find(rows_, number, &Row::number);
  if (row != rows_.end()) row->reached.emplace(std::move(reached));
}

void WarmSockets::Drop(std::uint64_t number) {
  std::erase_if(rows_, [number](const Row& row) { return row.number == number; });
}

std::optional<ReachedHost> WarmSockets::Take(const WarmPlace& place) {
  const auto row = std::ranges::find(rows_, place, &Row::place);
  if (row == rows_.end() || !row->reached) return std::nullopt;
  auto taken = std::move(row->reached);
  rows_.erase(row);
  return taken;
}

}  // namespace falconer::net
