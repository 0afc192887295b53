#include "engine/control/turn_rates.h"

#include <algorithm>
#include <utility>

namespace falconer::engine {

TurnRates::TurnRates(const std::vector<std::string>& counted) {
  for (const std::string& key : counted) tallies_[key].counted = 1;
}

bool TurnRates::IsCovered(const std::string& key, std::uint64_t each) const {
  const auto found = tallies_.find(key);
  const Tally tally = found == tallies_.end() ? Tally() : found->second;
  return tally.counted >= std::max<std::uint64_t>(1, each);
}

bool TurnRates::IsDue(const Demands& demands, Step step) const {
  return std::ranges::any_of(demands, [&](const policy::RateDemand& demand) {
    const auto found = tallies_.find(demand.key);
    const std::uint64_t happened = found == tallies_.end() ? 0 : found->second.each;
    return !IsCovered(demand.key, step == Step::kEach ? happened + 1 : 0);
  });
}

void TurnRates::Pass(const Demands& demands, Step step) {
  if (step != Step::kEach) return;
  for (const policy::RateDemand& demand : demands) ++tallies_[demand.key].each;
}

Task<Result<kernel::RateTaken>> TurnRates::Count(CallContext ctx, kernel::RateBook* book,
                                                 kernel::RateClaim claim, Step step) {
  while (is_counting_) {
    CO_TRY(co_await changes_.Until(ctx, [this] { return !is_counting_; }, "what is being counted"));
  }
  const Demands demands = std::move(claim.demands);
  // Whatever comes meanwhile finds this one there already.
  Pass(demands, step);
  claim.demands.clear();
  for (const policy::RateDemand& demand : demands) {
    const std::uint64_t each = step == Step::kEach ? tallies_[demand.key].each : 0;
    if (!IsCovered(demand.key, each)) claim.demands.push_back(demand);
  }
  is_counting_ = true;
  auto taken = co_await book->Take(std::move(claim));
  is_counting_ = false;
  if (taken.Refusal()) {
    if (step == Step::kEach) {
      for (const policy::RateDemand& demand : demands) --tallies_[demand.key].each;
    }
  } else {
    for (const std::string& key : taken.permit.keys()) ++tallies_[key].counted;
    taken.permit.Spend();
  }
  changes_.NotifyAll();
  co_return taken;
}

}  // namespace falconer::engine
