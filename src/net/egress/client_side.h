#pragma once
// ClientSide: a client's connection to the egress proxy, and the connection with a host that is
// kept for its next request. Shared by whoever reads its requests and whoever answers them.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>

#include "net/egress/egress_reach.h"
#include "net/egress/hang_up_watch.h"
#include "net/io_watch.h"

namespace falconer::net {

// What becomes of the client's connection after a request.
enum class NextUp : std::uint8_t {
  kRequest,  // another one may follow
  kGoodbye,  // the client was told that this was the last
  kNothing,  // it is beyond use
};

struct HostSide {
  explicit HostSide(ReachedHost reached)
      : socket(std::move(reached.socket)), address(reached.address) {}

  boost::asio::ip::tcp::socket socket;
  std::optional<boost::asio::ip::address> address;
  std::string name;
  std::uint16_t port = 0;
  boost::beast::flat_buffer buffer;
  bool is_used = false;   // by an earlier request
  bool is_spent = false;  // no further request may use it
};

struct ClientSide {
  ClientSide(boost::asio::ip::tcp::socket client, const CallContext& c)
      : socket(std::move(client)),
        ctx(c.WithCancel(off.token())),
        watch(ctx, [this] { Interrupt(); }),
        hang_up(socket) {
    boost::system::error_code ignored;
    socket.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  }
  ClientSide(const ClientSide&) = delete;
  ClientSide& operator=(const ClientSide&) = delete;
  ~ClientSide() = default;

  void BreakOff(std::string why) { off.Cancel(Error(ErrorCode::kCancelled, std::move(why))); }
  // A client that is gone needs no connection, and no answer.
  void WatchHangUp() {
    hang_up.Watch([this] { BreakOff("the client went away"); });
  }
  void Interrupt() {
    boost::system::error_code ignored;
    socket.cancel(ignored);
    if (host) host->socket.close(ignored);
  }

  boost::asio::ip::tcp::socket socket;
  CancelSource off;
  CallContext ctx;
  boost::beast::flat_buffer buffer;
  std::optional<HostSide> host;
  IoWatch watch;
  HangUpWatch hang_up;
};

}  // namespace falconer::net
