#pragma once
// EgressTarget: where a request to the egress proxy wants to go, read strictly. Browsers send hosts
// in canonical form; any other spelling (0x7f.1, 2130706433, a%2eb, full-width letters, user names)
// comes from somebody who wants two readers to disagree, and is refused.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/ip/address.hpp>

#include "base/error.h"

namespace falconer::net {

struct EgressTarget {
  std::string host;  // "example.org", "127.0.0.1", "[::1]": lower case, no dot at the end
  std::optional<boost::asio::ip::address> literal;  // when the host is an address
  std::uint16_t port = 0;
  std::string authority;  // for the Host header: "example.org:8080"
  std::string path;       // with the query, at least "/"; "" for a tunnel
};

// "http://host[:port]/path?query". Fails with kInvalidArgument, kUnsupported for other schemes.
Result<EgressTarget> ParseAbsoluteTarget(std::string_view target);
// "host:port", as CONNECT names it. Fails with kInvalidArgument.
Result<EgressTarget> ParseTunnelTarget(std::string_view target);

// Ports of services that take what a browser sends for their own commands (the Fetch standard's
// "bad ports").
bool IsBadPort(std::uint16_t port);

}  // namespace falconer::net
