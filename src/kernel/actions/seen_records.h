#pragma once
// SeenRecords: up to which record of a chain everything has been seen. Records are told in the
// order in which they became known, which is not always the order of their numbers, and those that
// other processes appended may never be told at all.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace falconer::kernel {

class SeenRecords {
 public:
  // Stretches behind a gap that are remembered. What comes behind the last one is forgotten: the
  // index is then complete only up to the gap, and whoever catches up reads the rest.
  static constexpr std::size_t kMostAhead = 1024;

  // Both inclusive.
  void Add(std::uint64_t first, std::uint64_t last) {
    auto at = ahead_.upper_bound(first);
    if (at != ahead_.begin() && std::prev(at)->second + 1 >= first) --at;
    // One stretch of all that it touches.
    while (at != ahead_.end() && at->first <= last + 1) {
      first = std::min(first, at->first);
      last = std::max(last, at->second);
      at = ahead_.erase(at);
    }
    ahead_.emplace(first, last);
    if (ahead_.size() > kMostAhead) ahead_.erase(std::prev(ahead_.end()));
  }
  // The last record before the first gap; 0 when the first record has not been seen.
  std::uint64_t complete() const {
    return ahead_.empty() || ahead_.begin()->first > 1 ? 0 : ahead_.begin()->second;
  }
  // What complete() would be with these too.
  std::uint64_t CompleteWith(std::uint64_t first, std::uint64_t last) const {
    SeenRecords then = *this;
    then.Add(first, last);
    return then.complete();
  }
  std::size_t stretches() const { return ahead_.size(); }

 private:
  std::map<std::uint64_t, std::uint64_t> ahead_;  // first to last
};

}  // namespace falconer::kernel
