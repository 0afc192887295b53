#include "agent/crawl/robots_book.h"

#include <algorithm>
#include <utility>

namespace falconer::agent {
namespace {

// As long as RFC 9309 lets a copy answer for the file.
constexpr auto kFresh = std::chrono::hours(24);
// A server that could not answer is asked again soon.
constexpr auto kFreshTrouble = std::chrono::minutes(1);
constexpr std::size_t kMostOrigins = 4096;
constexpr int kServerErrors = 500;
constexpr int kClientErrors = 400;

}  // namespace

RobotsRules RobotsBook::RulesIn(const RobotsAnswer& answer) const {
  if (answer.status >= kServerErrors) return RobotsRules::DisallowAll();
  if (answer.status >= kClientErrors) return RobotsRules::AllowAll();
  return RobotsRules::Parse(answer.text, name_);
}

void RobotsBook::Keep(const std::string& origin, const RobotsAnswer& answer, TimePoint now) {
  std::erase_if(known_, [now](const auto& entry) { return entry.second.until <= now; });
  if (known_.size() >= kMostOrigins) {
    known_.erase(
        std::ranges::min_element(known_, {}, [](const auto& entry) { return entry.second.until; }));
  }
  const Duration fresh =
      answer.status >= kServerErrors ? Duration(kFreshTrouble) : Duration(kFresh);
  known_[origin] = {.rules = RulesIn(answer), .until = now + fresh};
}

Task<Result<RobotsRules>> RobotsBook::For(CallContext ctx, std::string origin, Fetch fetch) {
  for (;;) {
    const auto known = known_.find(origin);
    if (known != known_.end() && ctx.clock().Now() < known->second.until)
      co_return known->second.rules;
    if (!asked_.contains(origin)) break;
    CO_TRY(co_await changes_.Until(
        ctx, [&] { return !asked_.contains(origin); }, "robots.txt of " + origin));
  }
  struct Asking {
    RobotsBook* book;
    std::string origin;
    ~Asking() {
      book->asked_.erase(origin);
      book->changes_.NotifyAll();
    }
  };
  asked_.insert(origin);
  const Asking asking{this, origin};
  CO_TRY_ASSIGN(const RobotsAnswer answer, co_await fetch(ctx));
  Keep(origin, answer, ctx.clock().Now());
  co_return known_.at(origin).rules;
}

}  // namespace falconer::agent
