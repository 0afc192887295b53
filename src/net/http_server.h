#pragma once
// HttpServer: HTTP/1.1 with keep-alive, streamed bodies and WebSocket upgrades on one event loop,
// plain or under TLS.
// Nothing here is thread safe: everything, handlers included, runs on the loop it was given.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/async/call_context.h"
#include "net/http_message.h"
#include "net/tls_identity.h"
#include "net/websocket.h"

namespace falconer::net {

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one
  // Who comes beyond this takes the place of the connection that has waited longest for a
  // request; while all are at work, he waits in the system's backlog.
  std::size_t max_connections = 1024;
  std::size_t max_header_bytes = std::size_t{64} << 10;  // beyond: 431
  std::size_t max_body_bytes = std::size_t{64} << 20;    // beyond: 413
  Duration idle_timeout = std::chrono::seconds(75);      // between requests
  Duration header_timeout = std::chrono::seconds(10);    // from the first byte; beyond: 408
  Duration body_timeout = std::chrono::seconds(120);     // beyond: 408
  Duration write_timeout = std::chrono::seconds(30);     // for each write
  WebSocketOptions websocket = {};
  // Speaks HTTPS as that one; null for plain HTTP. A client has the header's time to agree on TLS.
  std::shared_ptr<TlsIdentity> tls = nullptr;
};

class HttpServer {
 public:
  // The clock must outlive the server's connections, that is: Stop().
  HttpServer(const Executor& executor, Clock& clock, HttpHandler handler,
             HttpServerOptions options = {});
  // Breaks off whatever still goes on. On the loop, or after the loop has ended.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Binds and starts to accept. Fails with kInvalidArgument for a bad address and with
  // kNetworkError when the port is taken.
  Result<void> Listen();

  // Closes the port and every idle connection, lets requests in flight finish until `ctx` ends,
  // cancels the rest, and returns when no connection is left.
  Task<void> Stop(CallContext ctx);

  // The port it listens on; 0 before Listen().
  std::uint16_t port() const;
  std::size_t connections() const;

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace falconer::net
