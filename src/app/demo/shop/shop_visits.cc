#include "app/demo/shop/shop_visits.h"

#include <algorithm>
#include <utility>

#include "app/demo/shop/shop_goods.h"
#include "base/random.h"

namespace falconer::app {

std::int64_t ShopVisit::CentsInCart() const {
  std::int64_t cents = 0;
  for (const ShopLine& line : cart) cents += line.count * FindShopGood(line.good)->cents;
  return cents;
}

std::int64_t ShopVisit::CountInCart() const {
  std::int64_t count = 0;
  for (const ShopLine& line : cart) count += line.count;
  return count;
}

ShopVisit* ShopVisits::Find(std::string_view id) {
  const auto found = visits_.find(id);
  if (found == visits_.end()) return nullptr;
  found->second.last_seen = ++seen_;
  return &found->second;
}

ShopVisit& ShopVisits::Begin() {
  if (visits_.size() >= most_) {
    const auto last_seen = [](const auto& entry) { return entry.second.last_seen; };
    visits_.erase(std::ranges::min_element(visits_, {}, last_seen));
  }
  ShopVisit visit{.id = RandomId(), .form = RandomId(), .last_seen = ++seen_};
  return visits_.emplace(visit.id, visit).first->second;
}

ShopVisit& ShopVisits::Renew(const std::string& id) {
  auto kept = visits_.extract(id);
  kept.key() = RandomId();
  kept.mapped().id = kept.key();
  kept.mapped().form = RandomId();
  return visits_.insert(std::move(kept)).position->second;
}

}  // namespace falconer::app
