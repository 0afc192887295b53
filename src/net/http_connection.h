#pragma once
// HttpConnection: one client of HttpServer, from its first byte to its last.

#include <memory>
#include <optional>

#include <boost/asio/ip/tcp.hpp>

#include "net/http_server.h"

namespace falconer::net {

class HttpConnection {
 public:
  // `handler` and `options` must outlive it.
  HttpConnection(boost::asio::ip::tcp::socket socket, const CallContext& ctx,
                 const HttpHandler& handler, const HttpServerOptions& options);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  // Serves requests one after the other until either side wants to stop.
  Task<void> Run();

  // Ends now if idle, otherwise after the response that is being made.
  void FinishSoon();
  // Since when it waits for the head of a request, of which some may have come; nothing while a
  // request is served.
  std::optional<TimePoint> waits_since() const;
  // Ends now. Only while it waits.
  void GiveWay();
  // The upgraded connection, while there is one.
  std::shared_ptr<WebSocket> websocket() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace falconer::net
