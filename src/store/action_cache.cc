#include "store/action_cache.h"

namespace falconer::store {
namespace {

// The lengths keep apart what would read the same when joined.
std::string PlaceOf(const ActionKey& key) {
  std::string place(key.action_id.begin(), key.action_id.end());
  place += std::to_string(key.tenant.value().size()) + ":" + key.tenant.value() + key.scope;
  return place;
}

}  // namespace

std::optional<IndexedAction> ActionCache::Find(const ActionKey& key) {
  const std::scoped_lock lock(mutex_);
  const auto found = places_.find(PlaceOf(key));
  if (found == places_.end()) return std::nullopt;
  order_.splice(order_.begin(), order_, found->second);
  return *found->second;
}

void ActionCache::Put(const IndexedAction& action) {
  if (action.state != ActionState::kTerminal || bound_ == 0) return;
  const std::scoped_lock lock(mutex_);
  const auto [place, is_new] = places_.try_emplace(PlaceOf(action.key));
  if (!is_new) {
    if (action.seq > place->second->seq) *place->second = action;
    return;
  }
  order_.push_front(action);
  place->second = order_.begin();
  if (order_.size() <= bound_) return;
  places_.erase(PlaceOf(order_.back().key));
  order_.pop_back();
}

std::size_t ActionCache::size() const {
  const std::scoped_lock lock(mutex_);
  return order_.size();
}

}  // namespace falconer::store
