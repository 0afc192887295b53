#include "api/mcp/http_sessions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/random.h"

namespace falconer::api {

HttpSessions::HttpSessions(Executor executor, Clock& clock, McpHttpSetup setup,
                           McpHttpLimits limits)
    : ctx_(executor, clock), setup_(std::move(setup)), limits_(limits), tasks_(executor) {
}

Result<HttpSessions::Ptr> HttpSessions::Begin(const McpClient& who) {
  if (CountOf(who) >= limits_.sessions_per_client) {
    const Ptr spare = SpareOf(who);
    if (!spare) {
      return Fail(ErrorCode::kQuotaSessionLimit,
                  "at most " + std::to_string(limits_.sessions_per_client) +
                      " sessions of one client; end one with DELETE, or wait until one is idle");
    }
    End(spare, Error(ErrorCode::kSessionClosed, "the client began more sessions than it may have"));
  }
  TRY_ASSIGN(Ptr session, Make(who, RandomId()));
  by_id_.emplace(session->id(), session);
  SweepFromNowOn();
  return session;
}

Result<HttpSessions::Ptr> HttpSessions::Find(std::string_view id, const McpClient& who) const {
  const auto found = by_id_.find(id);
  if (found != by_id_.end() && found->second->who() == who) return found->second;
  return Fail(ErrorCode::kNotFound, "no such session, or it has ended; begin with initialize");
}

Result<HttpSessions::Ptr> HttpSessions::OfModern(const McpClient& who) {
  if (const auto found = modern_.find(who); found != modern_.end()) return found->second;
  TRY_ASSIGN(Ptr session, Make(who, ""));
  modern_.emplace(who, session);
  SweepFromNowOn();
  return session;
}

Result<HttpSessions::Ptr> HttpSessions::Make(const McpClient& who, std::string id) {
  if (is_stopping_) return Fail(ErrorCode::kToolUnavailable, "the server is about to end");
  if (size() >= limits_.sessions_at_once) {
    return Fail(ErrorCode::kGlobalSessionLimit,
                "at most " + std::to_string(limits_.sessions_at_once) + " sessions at once");
  }
  return std::make_shared<HttpSession>(ctx_, who, std::move(id), setup_.tools(who), setup_.identity,
                                       limits_);
}

// It begins at once, and ends at once where there is nothing to sweep.
void HttpSessions::SweepFromNowOn() {
  if (!std::exchange(is_sweeping_, true)) tasks_.Spawn("mcp.sweep", Sweep(this, changes_));
}

Result<void> HttpSessions::CheckRoom(const HttpSession& session) const {
  std::size_t all = 0;
  for (const Ptr& each : All()) all += each->running();
  if (session.running() < limits_.calls_per_session && all < limits_.calls_at_once) return {};
  return Fail(ErrorCode::kQueueFull, "too many calls at once");
}

HttpSessions::Ptr HttpSessions::SpareOf(const McpClient& who) const {
  Ptr spare;
  for (const auto& [id, session] : by_id_) {
    if (session->who() != who || session->is_busy()) continue;
    if (ctx_.clock().Now() - session->last_used() < limits_.spare_after) continue;
    if (!spare || session->last_used() < spare->last_used()) spare = session;
  }
  return spare;
}

std::size_t HttpSessions::CountOf(const McpClient& who) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(by_id_, [&](const auto& entry) { return entry.second->who() == who; }));
}

std::vector<HttpSessions::Ptr> HttpSessions::All() const {
  std::vector<Ptr> all;
  for (const auto& [id, session] : by_id_) all.push_back(session);
  for (const auto& [who, session] : modern_) all.push_back(session);
  return all;
}

void HttpSessions::End(const Ptr& session, Error reason) {
  Forget(*session);
  LOG(info, "mcp.session_ended", {"agent", session->who().agent}, {"why", reason.message()});
  tasks_.Spawn("mcp.end", Finish(session, std::move(reason)));
}

void HttpSessions::Forget(const HttpSession& session) {
  if (session.id().empty()) {
    modern_.erase(session.who());
  } else {
    by_id_.erase(session.id());
  }
}

Task<void> HttpSessions::Finish(Ptr session, Error reason) {
  co_await session->End(std::move(reason));
}

TimePoint HttpSessions::EndIdle() {
  const TimePoint now = ctx_.clock().Now();
  TimePoint next = now + limits_.idle_timeout;
  for (const Ptr& session : All()) {
    if (session->is_busy()) session->Touch();
    const TimePoint until = session->last_used() + limits_.idle_timeout;
    if (until > now) {
      next = std::min(next, until);
    } else {
      End(session, Error(ErrorCode::kSessionClosed, "nobody used the session"));
    }
  }
  return next;
}

// As long as there are sessions.
Task<void> HttpSessions::Sweep(HttpSessions* self, std::shared_ptr<Notifier> changes) {
  while (!self->is_stopping_ && self->size() > 0) {
    const CallContext nap = self->ctx_.WithDeadline(Deadline::At(self->EndIdle()));
    (void)co_await changes->Until(nap, [self] { return self->is_stopping_; }, "idle sessions");
  }
  self->is_sweeping_ = false;
}

Task<void> HttpSessions::Stop(Error reason) {
  is_stopping_ = true;
  changes_->NotifyAll();
  for (const Ptr& session : All()) End(session, reason);
  co_await tasks_.Join();
}

}  // namespace falconer::api
