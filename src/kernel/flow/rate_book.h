#pragma once
// RateBook: counts what the policy's rules limit (`rate_limit`), for all programs together. Asked
// before a turn by its gate, and during a turn about what was not known before
// (engine/control/turn_rates.h).

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "policy/rules/policy_decision.h"
#include "store/rate_store.h"

namespace falconer::kernel {

// What is to be counted, and whether too much of it is refused. No two demands have the same key.
struct RateClaim {
  std::vector<policy::RateDemand> demands;
  policy::PolicyMode mode = policy::PolicyMode::kEnforce;
};

// What it was decided by.
struct RateFacts {
  struct Limit {
    std::string rule;
    std::string key;
    std::uint64_t max = 0;
    std::chrono::milliseconds period{0};
    std::uint64_t used = 0;             // within the period, without this one
    std::chrono::milliseconds wait{0};  // until there is room for one more; zero if there is
    bool operator==(const Limit&) const = default;
  };
  policy::PolicyMode mode = policy::PolicyMode::kEnforce;
  std::vector<Limit> limits;  // none when there was nothing to count
  std::string error;          // the name of what kept everybody from knowing

  // The one that keeps it waiting longest; null when all have room.
  const Limit* Reached() const;
  // kPolicyRateLimit with the rule and retry_after_ms in its details, or what kept everybody from
  // knowing; nothing when it may go on. A policy that only observes refuses nothing.
  std::optional<Error> Refusal() const;

  json::object ToJson() const;
  // kInvalidArgument for what ToJson never writes.
  static Result<RateFacts> FromJson(const json::object& object);
  bool operator==(const RateFacts&) const = default;
};

// What was counted. It counts for good once it takes place (Spend); letting go of it before gives
// it back.
class RatePermit {
 public:
  RatePermit() = default;
  // The store must outlive this.
  RatePermit(store::RateStore& store, store::RateTicket ticket, std::vector<std::string> keys)
      : store_(&store), ticket_(std::move(ticket)), keys_(std::move(keys)) {}
  RatePermit(RatePermit&& other) noexcept
      : store_(std::exchange(other.store_, nullptr)),
        ticket_(std::move(other.ticket_)),
        keys_(std::move(other.keys_)) {}
  RatePermit& operator=(RatePermit&& other) noexcept {
    if (this == &other) return *this;
    GiveBack();
    store_ = std::exchange(other.store_, nullptr);
    ticket_ = std::move(other.ticket_);
    keys_ = std::move(other.keys_);
    return *this;
  }
  ~RatePermit() { GiveBack(); }

  void Spend() { store_ = nullptr; }
  explicit operator bool() const { return store_ != nullptr; }
  // Under which it was counted, once each.
  const std::vector<std::string>& keys() const { return keys_; }

 private:
  void GiveBack() {
    if (auto* store = std::exchange(store_, nullptr)) store->PostReturnRates(std::move(ticket_));
  }

  store::RateStore* store_ = nullptr;
  store::RateTicket ticket_;
  std::vector<std::string> keys_;
};

struct RateTaken {
  RateFacts facts;
  RatePermit permit;  // empty when nothing was counted
  // Of the store, for people; the facts have its name.
  std::optional<Error> failure;

  // Why it may not go on; nothing when it may.
  std::optional<Error> Refusal() const;
};

class RateBook {
 public:
  // The store must outlive this, and every permit.
  explicit RateBook(store::RateStore& store) : store_(store) {}

  // Counts one under every demand if all of them have room. Asks nobody when there is none.
  Task<RateTaken> Take(RateClaim claim);

 private:
  store::RateStore& store_;
};

}  // namespace falconer::kernel
