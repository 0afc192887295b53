#pragma once
// EgressTunnel: bytes both ways between a client and a host until both have closed, one of them
// breaks off, nothing moves for too long, or a limit is reached.

#include <string>
#include <string_view>

#include <boost/asio/ip/tcp.hpp>

#include "net/egress/egress_options.h"
#include "net/egress/egress_record.h"
#include "net/io_watch.h"

namespace falconer::net {

class EgressTunnel {
 public:
  // Everything must outlive Run(). `watch` must interrupt both sockets.
  EgressTunnel(boost::asio::ip::tcp::socket& client, boost::asio::ip::tcp::socket& host,
               IoWatch& watch, EgressRecord& record, const EgressOptions& options)
      : client_(client), host_(host), watch_(watch), record_(record), options_(options) {}

  // What was read too early goes first. When the client greets the host with TLS, the name in the
  // greeting must be `name`; "" for any. Ends the record.
  Task<void> Run(std::string from_client, std::string from_host, std::string name, int status);

 private:
  using Socket = boost::asio::ip::tcp::socket;
  using Count = bool (EgressRecord::*)(std::uint64_t);

  Task<void> PumpUp(std::string first, std::string name);
  Task<void> Pump(Socket* from, Socket* to, std::string first, Count count);
  // Whether the client may go on; reads the bytes it takes to tell.
  Task<bool> AwaitGreeting(std::string* bytes, std::string name);
  Task<bool> Pass(Socket* to, std::string_view bytes, Count count);
  // One side has no more to say: the other is told, and may go on.
  void OnReadEnd(Socket* to, const boost::system::error_code& code);
  void OnBroken(const boost::system::error_code& code);
  void BreakOff(EgressOutcome outcome, std::string_view reason);
  void Touch();

  Socket& client_;
  Socket& host_;
  IoWatch& watch_;
  EgressRecord& record_;
  const EgressOptions& options_;
  int status_ = 0;
  bool is_half_closed_ = false;
};

}  // namespace falconer::net
