#pragma once
// HttpSessions: the sessions of all clients, within their limits. One belongs to the client that
// began it; for everybody else it does not exist.

#include <map>
#include <memory>
#include <string>

#include "api/mcp/http_session.h"
#include "base/async/task_scope.h"

namespace falconer::api {

class HttpSessions {
 public:
  using Ptr = std::shared_ptr<HttpSession>;

  HttpSessions(Executor executor, Clock& clock, McpHttpSetup setup, McpHttpLimits limits);
  HttpSessions(const HttpSessions&) = delete;
  HttpSessions& operator=(const HttpSessions&) = delete;

  // A new session with an id. kQuotaSessionLimit when the client has too many in use,
  // kGlobalSessionLimit when all clients together have, kToolUnavailable after Stop().
  Result<Ptr> Begin(const McpClient& who);
  // kNotFound when there is none of that id for this client.
  Result<Ptr> Find(std::string_view id, const McpClient& who) const;
  // The session of a client that needs no id. Fails like Begin().
  Result<Ptr> OfModern(const McpClient& who);
  // kQueueFull when no further call may begin in that session.
  Result<void> CheckRoom(const HttpSession& session) const;

  // From now on it does not exist; what runs in it is cancelled.
  void End(const Ptr& session, Error reason);
  // Ends all and waits until they have ended. Must be over before this object goes.
  Task<void> Stop(Error reason);

  std::size_t size() const { return by_id_.size() + modern_.size(); }

 private:
  Result<Ptr> Make(const McpClient& who, std::string id);
  // The least recently used session of the client that can be done without, or null.
  Ptr SpareOf(const McpClient& who) const;
  std::size_t CountOf(const McpClient& who) const;
  std::vector<Ptr> All() const;
  // Called when there is a new one.
  void SweepFromNowOn();
  // Ends what nobody uses; says when to look again.
  TimePoint EndIdle();
  void Forget(const HttpSession& session);
  static Task<void> Sweep(HttpSessions* self, std::shared_ptr<Notifier> changes);
  static Task<void> Finish(Ptr session, Error reason);

  CallContext ctx_;
  McpHttpSetup setup_;
  McpHttpLimits limits_;
  std::map<std::string, Ptr, std::less<>> by_id_;
  std::map<McpClient, Ptr> modern_;
  bool is_stopping_ = false;
  bool is_sweeping_ = false;
  std::shared_ptr<Notifier> changes_ = std::make_shared<Notifier>();
  TaskScope tasks_;
};

}  // namespace falconer::api
