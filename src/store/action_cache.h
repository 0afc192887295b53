#pragma once
// ActionCache: the terminal actions asked for or put last, in memory. Only terminal ones: they no
// longer change, so what is here is right even if another process writes the same store.

#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "store/action_index.h"

namespace falconer::store {

class ActionCache {
 public:
  explicit ActionCache(std::size_t bound) : bound_(bound) {}

  // May be called from any thread.
  std::optional<IndexedAction> Find(const ActionKey& key);
  // Open actions are ignored. The one unused for longest goes when there are too many.
  void Put(const IndexedAction& action);
  std::size_t size() const;

 private:
  using Order = std::list<IndexedAction>;

  std::size_t bound_;
  mutable std::mutex mutex_;
  Order order_;  // the one used last first
  std::unordered_map<std::string, Order::iterator> places_;
};

}  // namespace falconer::store
