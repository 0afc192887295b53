#pragma once
// Canary: a host that nobody may reach. It listens on TCP and UDP at one address and port, answers
// whatever it is asked, and counts: one connection or one packet is one too many.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "base/async/call_context.h"
#include "base/async/notifier.h"
#include "base/async/task_scope.h"

namespace falconer::test {

class Canary {
 public:
  Canary(const CallContext& ctx, const char* address)
      : acceptor_(ctx.executor(), {boost::asio::ip::make_address(address), 0}),
        packets_socket_(ctx.executor(), {boost::asio::ip::make_address(address), port()}),
        scope_(ctx.executor()) {
    scope_.Spawn("canary.tcp", Accept());
    scope_.Spawn("canary.udp", Receive());
  }
  Canary(const Canary&) = delete;
  Canary& operator=(const Canary&) = delete;

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  int connections() const { return connections_; }
  int packets() const { return packets_; }
  // Was `path`, or something below it, asked for?
  bool WasAsked(std::string_view path) const {
    return std::ranges::any_of(heard_, [&](const std::string& bytes) {
      const auto at = bytes.find(" " + std::string(path));
      return at < bytes.find('\r') && std::string_view(" ?/").contains(bytes[at + 1 + path.size()]);
    });
  }
  Task<Result<void>> UntilAsked(CallContext ctx, std::string path) {
    co_return co_await heard_more_.Until(ctx, [&] { return WasAsked(path); }, "the canary");
  }
  Task<void> Stop() { co_await scope_.Stop(); }

 private:
  static constexpr auto kAsTuple = boost::asio::as_tuple(boost::asio::use_awaitable);
  static constexpr std::string_view kAnswer =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nAccess-Control-Allow-Origin: *\r\n"
      "Content-Length: 4\r\nConnection: close\r\n\r\nevil";

  Task<void> Accept() {
    while (true) {
      auto [code, socket] = co_await acceptor_.async_accept(kAsTuple);
      if (code) co_return;
      ++connections_;
      scope_.Spawn("canary.connection", Answer(std::move(socket)));
    }
  }
  Task<void> Answer(boost::asio::ip::tcp::socket socket) {
    std::string bytes(4096, '\0');
    const auto [code, size] = co_await socket.async_read_some(boost::asio::buffer(bytes), kAsTuple);
    heard_.push_back(bytes.substr(0, size));
    heard_more_.NotifyAll();
    co_await boost::asio::async_write(socket, boost::asio::buffer(kAnswer), kAsTuple);
  }
  Task<void> Receive() {
    std::string bytes(4096, '\0');
    while (true) {
      boost::asio::ip::udp::endpoint from;
      const auto [code, size] =
          co_await packets_socket_.async_receive_from(boost::asio::buffer(bytes), from, kAsTuple);
      if (code) co_return;
      ++packets_;
    }
  }

  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::ip::udp::socket packets_socket_;
  int connections_ = 0;
  int packets_ = 0;
  std::vector<std::string> heard_;  // the first bytes of every connection
  Notifier heard_more_;
  TaskScope scope_;
};

}  // namespace falconer::test
