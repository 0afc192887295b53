#pragma once
// Who is asked for the addresses of names.

#include <memory>
#include <vector>

#include <boost/asio/ip/udp.hpp>

#include "net/egress/resolver.h"

namespace falconer::app {

// The name servers, one after the other; none: as the machine is set up.
std::unique_ptr<net::Resolver> ResolverFrom(
    const std::vector<boost::asio::ip::udp::endpoint>& name_servers);

}  // namespace falconer::app
