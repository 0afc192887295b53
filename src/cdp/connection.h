#pragma once
// Connection: one ordered stream of messages with a browser, split into sessions. It numbers the
// commands, routes answers and events once, and tells every session when the browser is gone.

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/async/call_context.h"
#include "cdp/session.h"
#include "cdp/transport.h"

namespace falconer::cdp {

class Connection {
 public:
  struct Options {
    // No command waits longer than this for its answer, whatever the caller allows.
    Duration command_timeout = std::chrono::seconds(30);
  };

  Connection(Executor executor, Clock& clock, std::unique_ptr<Transport> transport,
             Options options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // The browser's own session.
  const std::shared_ptr<Session>& root() const { return root_; }
  // The open session with this id, or null.
  std::shared_ptr<Session> FindSession(std::string_view id) const;

  bool is_open() const { return root_->is_open(); }
  // Ends the connection: every session closes with `reason`.
  void Close(const Error& reason);

  const Executor& executor() const { return executor_; }
  Clock& clock() const { return clock_; }
  Duration command_timeout() const { return options_.command_timeout; }

 private:
  friend class Session;

  std::int64_t NextCommandId() { return ++last_id_; }
  struct Heading {
    std::int64_t id = 0;
    std::string_view session_id;
    std::string_view method;
  };
  Result<void> Post(const Heading& heading, json::object params,
                    std::unique_ptr<Departure> departure);
  // An event that lacks a fitting field is not told; the log hears of the first of its kind.
  void NoteMalformed(std::string_view method, std::string_view field);
  void OnMessage(std::string_view text);
  void OnAnswer(Session& session, const json::object& message, std::int64_t id);
  // Takes the call with this number from the session, or from whichever session has it.
  std::shared_ptr<PendingCall> TakeCall(Session& session, std::int64_t id);
  void OnEvent(const std::shared_ptr<Session>& session, const json::object& message);
  void OpenSession(const Session& parent, const json::object& params);
  void CloseSession(const json::object& params);

  Executor executor_;
  Clock& clock_;
  Options options_;
  std::unique_ptr<Transport> transport_;
  std::shared_ptr<Session> root_;
  std::unordered_map<std::string, std::shared_ptr<Session>> sessions_;
  // Kinds of events that came malformed; names of the protocol's rows.
  std::unordered_set<std::string_view> malformed_;
  // The last command was refused.
  bool is_congested_ = false;
  std::int64_t last_id_ = 0;
};

}  // namespace falconer::cdp
