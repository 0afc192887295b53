#pragma once
// RateStore: how often something was done under a rule that limits it, for all processes together.
// Asking and counting is one step, so that never more is counted than there is room for. Calls
// behave as those of ControlStore.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/async/task.h"

namespace falconer::store {

// `key` may be counted `max` times within any `period`.
struct RateLimit {
  std::string key;
  std::uint64_t max = 0;
  std::chrono::milliseconds period{0};
};

struct RateCount {
  std::uint64_t used = 0;             // within the period, without this one
  std::chrono::milliseconds wait{0};  // until there is room for one more; zero if there is
  bool operator==(const RateCount&) const = default;
};

// What was counted.
struct RateTicket {
  std::vector<std::uint64_t> ids;
};

struct RateAnswer {
  std::vector<RateCount> counts;     // of each limit, in their order
  std::optional<RateTicket> ticket;  // none when one of them is reached: then nothing is counted
};

class RateStore {
 public:
  virtual ~RateStore() = default;

  // Counts one under every limit if all of them have room. The window slides: what is counted
  // counts for exactly the period. No two limits may have the same key.
  virtual Task<Result<RateAnswer>> TakeRates(std::vector<RateLimit> limits) = 0;
  // It did not take place: it no longer counts. Done soon, without an answer; a failure is logged,
  // and it counts until the period has passed.
  virtual void PostReturnRates(RateTicket ticket) = 0;
};

}  // namespace falconer::store
