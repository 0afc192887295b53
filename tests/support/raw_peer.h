#pragma once
// RawPeer: one end of a connection; reads and writes bytes exactly as they are.

#include <string>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "base/async/task.h"

namespace falconer::test {

class RawPeer {
 public:
  explicit RawPeer(boost::asio::ip::tcp::socket socket) : socket_(std::move(socket)) {}

  Task<bool> Send(std::string bytes) {
    const auto [code, size] =
        co_await boost::asio::async_write(socket_, boost::asio::buffer(bytes), kAsTuple);
    co_return !code;
  }
  // Everything up to and including `end`; what came before the close when it never comes.
  Task<std::string> ReadUntil(std::string end) {
    while (pending_.find(end) == std::string::npos && co_await ReadSome()) {
    }
    const auto at = pending_.find(end);
    co_return Take(at == std::string::npos ? pending_.size() : at + end.size());
  }
  Task<std::string> ReadToEnd() {
    while (co_await ReadSome()) {
    }
    co_return Take(pending_.size());
  }
  void Close() {
    boost::system::error_code ignored;
    socket_.close(ignored);
  }
  void CloseSending() {
    boost::system::error_code ignored;
    socket_.shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  }

 protected:
  boost::asio::ip::tcp::socket& socket() { return socket_; }

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
