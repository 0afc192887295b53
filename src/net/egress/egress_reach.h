#pragma once
// ReachHost: from a target that may be asked for to a connection with it: the name is looked up
// once, every address is put to the rule, and one of exactly those addresses is dialled.

#include <expected>
#include <optional>

#include <boost/asio/ip/tcp.hpp>

#include "net/egress/egress_connection.h"
#include "net/egress/egress_refusal.h"
#include "net/egress/egress_target.h"

namespace falconer::net {

struct ReachedHost {
  boost::asio::ip::tcp::socket socket;
  std::optional<boost::asio::ip::address> address;  // nothing when another proxy chose it
};

// `*kit` must outlive the call.
Task<std::expected<ReachedHost, EgressRefusal>> ReachHost(CallContext ctx, const EgressKit* kit,
                                                          EgressAsk ask, EgressTarget target);

}  // namespace falconer::net
