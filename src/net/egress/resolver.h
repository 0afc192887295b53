#pragma once
// Resolver: from a host name to its addresses.

#include <string>
#include <vector>

#include <boost/asio/ip/address.hpp>

#include "base/async/call_context.h"

namespace falconer::net {

using Addresses = std::vector<boost::asio::ip::address>;

class Resolver {
 public:
  virtual ~Resolver() = default;
  // Every address of the name, at least one, in the order to try them. Fails with kNotFound when
  // there is no such name, kNetworkError, kTimeout or the cancel reason.
  virtual Task<Result<Addresses>> Resolve(CallContext ctx, std::string name) = 0;
};

// Both kinds in turn, IPv6 first: whichever of the two does not work here costs one try only.
Addresses Interleaved(const Addresses& addresses);

}  // namespace falconer::net
