#include "net/http_server.h"

#include <set>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "base/log.h"
#include "net/http_connection.h"

namespace falconer::net {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

// How long to leave the door closed when the system is out of descriptors, or every connection is
// at work.
constexpr auto kAcceptPause = std::chrono::milliseconds(100);

Error ListenError(const HttpServerOptions& options, const boost::system::error_code& code) {
  return Error(ErrorCode::kNetworkError, "listen on " + options.address + ":" +
                                             std::to_string(options.port) + ": " + code.message());
}

}  // namespace

// Shared with the coroutines it starts, which may outlive the server by a few steps of the loop.
class HttpServer::Impl {
 public:
  Impl(const Executor& executor, Clock& clock, HttpHandler handler, HttpServerOptions options)
      : ctx_(executor, clock),
        handler_(std::move(handler)),
        options_(std::move(options)),
        acceptor_(executor),
        scope_(std::make_unique<TaskScope>(executor)) {}

  static Task<void> AcceptLoop(std::shared_ptr<Impl> self);
  static Task<void> Serve(std::shared_ptr<Impl> self, tcp::socket socket);
  static Task<void> Stop(std::shared_ptr<Impl> self, CallContext ctx);

  Result<void> Bind();
  void Spawn(std::string name, Task<void> task) {
    if (scope_) scope_->Spawn(std::move(name), std::move(task));
  }
  void CloseDoor() {
    is_stopping_ = true;
    boost::system::error_code ignored;
    acceptor_.close(ignored);
  }
  void BreakOff() {
    CloseDoor();
    scope_.reset();
  }
  std::uint16_t port() const {
    boost::system::error_code ignored;
    return acceptor_.local_endpoint(ignored).port();
  }
  std::size_t connections() const { return connections_.size(); }

 private:
  bool is_full() const { return connections_.size() >= options_.max_connections; }
  // The connection that has waited longest for a request; null when all are at work.
  HttpConnection* LongestWaiting() const;
  // Keeps the connection on the list while it is served.
  class Listed {
   public:
    Listed(Impl& impl, HttpConnection& connection) : impl_(impl), connection_(connection) {
      impl_.connections_.insert(&connection_);
    }
    ~Listed() {
      impl_.connections_.erase(&connection_);
      impl_.changed_.NotifyAll();
    }
    Listed(const Listed&) = delete;
    Listed& operator=(const Listed&) = delete;

   private:
    Impl& impl_;
    HttpConnection& connection_;
  };

  static Task<void> SayGoodbye(std::shared_ptr<WebSocket> socket) {
    co_await socket->Close(WebSocketEnd::kGoingAway, "the server ends");
  }

  CallContext ctx_;
  HttpHandler handler_;
  HttpServerOptions options_;
  tcp::acceptor acceptor_;
  std::unique_ptr<TaskScope> scope_;
  std::set<HttpConnection*> connections_;
  Notifier changed_;
  bool is_stopping_ = false;
};

Result<void> HttpServer::Impl::Bind() {
  boost::system::error_code code;
  const auto address = asio::ip::make_address(options_.address, code);
  if (code) return Fail(ErrorCode::kInvalidArgument, options_.address + " is not an IP address");
  const tcp::endpoint endpoint(address, options_.port);
  acceptor_.open(endpoint.protocol(), code);
  if (!code) acceptor_.set_option(tcp::acceptor::reuse_address(true), code);
  if (!code) acceptor_.bind(endpoint, code);
  if (!code) acceptor_.listen(asio::socket_base::max_listen_connections, code);
  if (code) return Fail(ListenError(options_, code));
  return {};
}

HttpConnection* HttpServer::Impl::LongestWaiting() const {
  HttpConnection* longest = nullptr;
  for (HttpConnection* const each : connections_) {
    const auto since = each->waits_since();
    if (since && (longest == nullptr || *since < *longest->waits_since())) longest = each;
  }
  return longest;
}

Task<void> HttpServer::Impl::AcceptLoop(std::shared_ptr<Impl> self) {
  Alarm pause(self->ctx_.executor(), self->ctx_.clock());
  while (!self->is_stopping_) {
    if (self->is_full() && self->LongestWaiting() == nullptr) {
      co_await pause.Wait(Deadline::At(self->ctx_.clock().Now() + kAcceptPause));
      continue;
    }
    auto [code, socket] =
        co_await self->acceptor_.async_accept(asio::as_tuple(asio::use_awaitable));
    if (self->is_stopping_) co_return;
    if (!code) {
      HttpConnection* const waiting = self->is_full() ? self->LongestWaiting() : nullptr;
      if (waiting != nullptr) waiting->GiveWay();
      self->Spawn("http.connection", Serve(self, std::move(socket)));
    } else if (code != asio::error::connection_aborted) {
      LOG(warn, "http.accept_failed", {"what", code.message()});
      co_await pause.Wait(Deadline::At(self->ctx_.clock().Now() + kAcceptPause));
    }
  }
}

Task<void> HttpServer::Impl::Serve(std::shared_ptr<Impl> self, tcp::socket socket) {
  HttpConnection connection(std::move(socket), self->ctx_, self->handler_, self->options_);
  const Listed listed(*self, connection);
  co_await connection.Run();
}

Task<void> HttpServer::Impl::Stop(std::shared_ptr<Impl> self, CallContext ctx) {
  self->CloseDoor();
  for (HttpConnection* connection : self->connections_) {
    connection->FinishSoon();
    if (auto socket = connection->websocket()) {
      self->Spawn("http.goodbye", SayGoodbye(std::move(socket)));
    }
  }
  const auto is_empty = [&] { return self->connections_.empty(); };
  const auto emptied = co_await self->changed_.Until(ctx, is_empty, "open connections");
  if (!emptied) LOG(warn, "http.broken_off", {"connections", self->connections()});
  if (self->scope_) co_await self->scope_->Stop();
}

HttpServer::HttpServer(const Executor& executor, Clock& clock, HttpHandler handler,
                       HttpServerOptions options)
    : impl_(std::make_shared<Impl>(executor, clock, std::move(handler), std::move(options))) {
}

HttpServer::~HttpServer() {
  impl_->BreakOff();
}

Result<void> HttpServer::Listen() {
  TRY(impl_->Bind());
  impl_->Spawn("http.accept", Impl::AcceptLoop(impl_));
  return {};
}

Task<void> HttpServer::Stop(CallContext ctx) {
  co_await Impl::Stop(impl_, std::move(ctx));
}

std::uint16_t HttpServer::port() const {
  return impl_->port();
}

std::size_t HttpServer::connections() const {
  return impl_->connections();
}

}  // namespace falconer::net
