#pragma once
// CircuitPermit: a turn's way through the circuit of its domain. What came of the turn is told with
// it (flow/breaker_book.h). When it goes without that, the turn said nothing about the site: if it
// was the probe, the next one to ask gets it.

#include <utility>

#include "store/breaker_store.h"

namespace falconer::kernel {

class CircuitPermit {
 public:
  CircuitPermit() = default;
  // The store must outlive this.
  CircuitPermit(store::BreakerStore& store, store::CircuitKey key,
                const store::CircuitAnswer& answer)
      : store_(&store),
        key_(std::move(key)),
        probe_(answer.probe ? answer.probe->id : 0),
        has_failures_(answer.failures > 0) {}
  CircuitPermit(CircuitPermit&& other) noexcept { Take(other); }
  CircuitPermit& operator=(CircuitPermit&& other) noexcept {
    if (this == &other) return *this;
    GiveBack();
    Take(other);
    return *this;
  }
  ~CircuitPermit() { GiveBack(); }

  // Its probe was told of, or is about to be: nothing is given back.
  void Spend() { store_ = nullptr; }
  explicit operator bool() const { return store_ != nullptr; }

  const store::CircuitKey& key() const { return key_; }
  // 0 when the turn is not the probe.
  std::uint64_t probe() const { return probe_; }
  // Whether a success would change anything.
  bool matters() const { return probe_ != 0 || has_failures_; }

 private:
  void Take(CircuitPermit& other) {
    store_ = std::exchange(other.store_, nullptr);
    key_ = std::move(other.key_);
    probe_ = other.probe_;
    has_failures_ = other.has_failures_;
  }
  void GiveBack() {
    auto* const store = std::exchange(store_, nullptr);
    if (store != nullptr && probe_ != 0) store->PostReturnProbe({std::move(key_), probe_});
  }

  store::BreakerStore* store_ = nullptr;
  store::CircuitKey key_;
  std::uint64_t probe_ = 0;
  bool has_failures_ = false;
};

}  // namespace falconer::kernel
