#pragma once
// HttpSession: one client's conversation over HTTP: its tools, what it said of itself, and the
// streams that lead to it. Shared by the book of sessions and the requests under way.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "api/mcp/http_exchange.h"
#include "api/mcp/http_setup.h"

namespace falconer::api {

class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  // Without an id it is that of a client that needs none: every request stands for itself.
  HttpSession(const CallContext& ctx, McpClient who, std::string id, SessionTools tools,
              const ServerIdentity& identity, const McpHttpLimits& limits);
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;

  // Takes what needs no answer.
  void Take(RpcMessage message);
  // Takes a request and answers it. Who asks holds the session until then. In a session without an
  // id a client that closes its connection cancels its call; in others it does not.
  Task<net::HttpResponse> Ask(RpcMessage request, AcceptedForms forms);

  // What is wrong with the headers that repeat arguments of a tool.
  std::optional<RpcFailure> CheckArguments(const net::HttpHeaders& headers,
                                           const RpcMessage& request) const;

  // The stream for what belongs to no request.
  net::HttpResponse Listen();
  // A stream from the event after that one on. kInvalidArgument when it is not kept any more.
  Result<net::HttpResponse> Resume(SseEventId after);

  // Cancels what runs, answers it, and closes every stream. Called once.
  Task<void> End(Error reason);

  const std::string& id() const { return id_; }
  const McpClient& who() const { return who_; }
  std::size_t running() const { return server_.running(); }
  // What was agreed in its `initialize`; "" without one.
  const std::string& version() const { return server_.legacy_version(); }
  // Whether a call is under way or a stream open.
  bool is_busy() const;
  TimePoint last_used() const { return last_used_; }
  void Touch() { last_used_ = ctx_.clock().Now(); }

 private:
  using StreamPtr = std::shared_ptr<SseStream>;
  using ExchangePtr = std::shared_ptr<HttpExchange>;

  // Something that belongs to no request.
  void Tell(std::string message);
  bool has_id() const { return !id_.empty(); }
  ExchangePtr NewExchange(std::uint64_t number, AcceptedForms forms);
  // Cancels the call when the last who could read its answer goes.
  std::shared_ptr<void> HangUpGuard(const ExchangePtr& exchange, std::string scope, json::value id);
  StreamPtr NewStream(std::uint64_t number);
  const StreamPtr& General();
  void DropOldStreams();
  net::HttpResponse Events(StreamPtr stream, std::optional<std::uint64_t> after) const;

  CallContext ctx_;
  McpClient who_;
  std::string id_;
  McpHttpLimits limits_;
  TimePoint last_used_;
  // Of a request, and its stream.
  std::uint64_t last_number_ = 0;
  bool has_ended_ = false;
  StreamPtr general_;
  // Those that can be resumed.
  std::map<std::uint64_t, StreamPtr> streams_;
  // Holds what the tools use: goes after them.
  std::function<Task<void>(Error reason)> stop_tools_;
  McpServer server_;
};

}  // namespace falconer::api
