#include "engine/approvals/question_bounds.h"

#include <fmt/format.h>

namespace falconer::engine {
namespace {

constexpr std::size_t kMostTurns = 4096;

std::unexpected<Error> TooMany(std::size_t most, std::string_view of) {
  return Fail(Error(ErrorCode::kApprovalDenied,
                    fmt::format("people were asked {} times in this {} already", most, of),
                    {{"reason", "too_many_questions"}}));
}

}  // namespace

Result<void> QuestionBounds::Take(const TenantId& tenant, const TurnId& turn, TimePoint now) {
  std::deque<TimePoint>& recent = tenants_[tenant];
  while (!recent.empty() && now - recent.front() >= limits_.window) recent.pop_front();
  if (recent.size() >= limits_.per_tenant) return TooMany(limits_.per_tenant, "tenant's minute");
  if (!turn.empty()) {
    const auto [place, is_new] = turns_.try_emplace(turn, 0);
    if (place->second >= limits_.per_turn) return TooMany(limits_.per_turn, "turn");
    ++place->second;
    if (is_new) order_.push_back(turn);
    if (order_.size() > kMostTurns) {
      turns_.erase(order_.front());
      order_.pop_front();
    }
  }
  recent.push_back(now);
  return {};
}

}  // namespace falconer::engine
