#pragma once
// RawClient: sends bytes exactly as they are and reads what comes back; for what a well-behaved
// HTTP client would never do.

#include <cstdint>
#include <string>
#include <string_view>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "base/async/call_context.h"

namespace falconer::test {

class RawClient {
 public:
  RawClient(const CallContext& ctx, std::uint16_t port) : socket_(ctx.executor()) {
    boost::system::error_code ignored;
    socket_.connect({boost::asio::ip::address_v4::loopback(), port}, ignored);
  }

  Task<void> Send(std::string bytes) {
    co_await boost::asio::async_write(socket_, boost::asio::buffer(bytes), kAsTuple);
  }

  // Everything up to and including `end`, or what came before the server closed.
  Task<std::string> ReadUntil(std::string end) {
    while (pending_.find(end) == std::string::npos && co_await ReadSome()) {
    }
    const auto at = pending_.find(end);
    co_return Take(at == std::string::npos ? pending_.size() : at + end.size());
  }

  // What is left until the server closes; then closes too.
  Task<std::string> ReadToEnd() {
    while (co_await ReadSome()) {
    }
    Close();
    co_return Take(pending_.size());
  }

  void Close() {
    boost::system::error_code ignored;
    socket_.close(ignored);
  }

 private:
  static constexpr auto kAsTuple = boost::asio::as_tuple(boost::asio::use_awaitable);

  Task<bool> ReadSome() {
    char bytes[4096];
    const auto [code, size] =
        co_await socket_.async_read_some(boost::asio::buffer(bytes), kAsTuple);
    pending_.append(bytes, size);
    co_return !code;
  }

  std::string Take(std::size_t size) {
    std::string taken = pending_.substr(0, size);
    pending_.erase(0, size);
    return taken;
  }

  boost::asio::ip::tcp::socket socket_;
  std::string pending_;
};

}  // namespace falconer::test
