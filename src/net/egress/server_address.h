#pragma once
// Addresses of servers as people write them in settings.

#include <cstdint>
#include <string_view>

#include <boost/asio/ip/udp.hpp>

#include "base/error.h"
#include "net/egress/egress_options.h"

namespace falconer::net {

// "http://host:port", "http://user:password@host:port" or "host:port"; user and password may have
// percent escapes. kInvalidArgument says what is wrong; never quotes the password.
Result<UpstreamProxy> ParseUpstreamProxy(std::string_view text);

// "192.0.2.1", "192.0.2.1:5353", "2001:db8::1" or "[2001:db8::1]:5353". kInvalidArgument.
Result<boost::asio::ip::udp::endpoint> ParseNameServer(std::string_view text);

}  // namespace falconer::net
