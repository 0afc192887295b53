#pragma once
// OpenThrough: a connection to a host through another HTTP proxy (CONNECT).

#include <string>

#include <boost/asio/ip/tcp.hpp>

#include "base/async/call_context.h"
#include "net/egress/egress_options.h"

namespace falconer::net {

// Asks the proxy at the other end of `socket` for a tunnel to `authority` ("192.0.2.1:443"). The
// socket is the tunnel then. Fails with kNetworkError naming the proxy's status, kTimeout or the
// cancel reason.
Task<Result<boost::asio::ip::tcp::socket>> OpenThrough(CallContext ctx,
                                                       boost::asio::ip::tcp::socket socket,
                                                       UpstreamProxy proxy, std::string authority);

}  // namespace falconer::net
