#pragma once
// DialAddresses: connects to one of several addresses, in order; the next one is tried when one
// fails or takes long, and the first that answers wins (RFC 8305, the simple part).

#include <boost/asio/ip/tcp.hpp>

#include "net/egress/resolver.h"

namespace falconer::net {

struct DialPlan {
  Addresses addresses;  // exactly these; nothing is looked up
  std::uint16_t port = 0;
  Duration next_after{};
};

// Fails with kNetworkError (as the last address failed), kTimeout or the cancel reason; no attempt
// goes on after it returns.
Task<Result<boost::asio::ip::tcp::socket>> DialAddresses(CallContext ctx, DialPlan plan);

}  // namespace falconer::net
