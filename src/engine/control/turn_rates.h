#pragma once
// TurnRates: what one turn has counted under the limits of its policy (`rate_limit`). A turn counts
// once under each limit, whatever it does; a page that sends more than one request that changes
// something counts once for each of them. On the session's event loop.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/async/notifier.h"
#include "kernel/flow/rate_book.h"

namespace falconer::engine {

class TurnRates {
 public:
  // How what is about to happen counts.
  enum class Step : std::uint8_t {
    kOnce,  // with everything else of the turn
    kEach,  // for itself, but for the first
  };
  using Demands = std::vector<policy::RateDemand>;

  // `counted`: the keys that were counted before the turn was opened.
  explicit TurnRates(const std::vector<std::string>& counted);

  // Whether something must be counted before it may happen.
  bool IsDue(const Demands& demands, Step step) const;
  // It happens, and nothing is due.
  void Pass(const Demands& demands, Step step);
  // Counts what is due, in the book. Answers by which counts, none when nothing was due;
  // RateTaken::Refusal() says whether it may happen. Fails like ctx. The book must outlive the
  // call.
  Task<Result<kernel::RateTaken>> Count(CallContext ctx, kernel::RateBook* book,
                                        kernel::RateClaim claim, Step step);

 private:
  struct Tally {
    std::uint64_t counted = 0;
    std::uint64_t each = 0;  // that happened
  };
  bool IsCovered(const std::string& key, std::uint64_t each) const;

  std::map<std::string, Tally, std::less<>> tallies_;  // by key
  // One at a time: what comes next may be covered by what is being counted.
  bool is_counting_ = false;
  Notifier changes_;
};

}  // namespace falconer::engine
