#include "agent/crawl/session_pool.h"

#include <algorithm>

namespace falconer::agent {
namespace {

// What pages leave behind in a session goes with it.
constexpr std::int64_t kMostSessionSteps = 400;

bool IsSameWish(const engine::SessionWish& a, const engine::SessionWish& b) {
  return a.scripts == b.scripts && a.parts == b.parts;
}

}  // namespace

std::unique_ptr<VisitSession> SessionPool::Take(const std::string& host, engine::SessionWish wish) {
  const auto found = std::ranges::find_if(idle_, [&](const Idle& one) {
    return one.host == host && IsSameWish(one.session->wish(), wish);
  });
  if (found == idle_.end()) return std::make_unique<VisitSession>(host_, wish);
  auto session = std::move(found->session);
  idle_.erase(found);
  return session;
}

Task<void> SessionPool::Give(CallContext ctx, std::string host,
                             std::unique_ptr<VisitSession> session) {
  if (session->steps() >= kMostSessionSteps) {
    co_await session->Close(std::move(ctx));
    co_return;
  }
  idle_.push_back({.host = std::move(host), .session = std::move(session)});
  if (idle_.size() <= most_) co_return;
  const Idle oldest = std::move(idle_.front());
  idle_.pop_front();
  co_await oldest.session->Close(std::move(ctx));
}

Task<void> SessionPool::Close(CallContext ctx) {
  while (!idle_.empty()) {
    const Idle last = std::move(idle_.back());
    idle_.pop_back();
    co_await last.session->Close(ctx);
  }
}

}  // namespace falconer::agent
