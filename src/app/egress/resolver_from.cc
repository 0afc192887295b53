#include "app/egress/resolver_from.h"

#include <utility>

#include "net/egress/dns_resolver.h"
#include "net/egress/resolver_chain.h"
#include "net/egress/system_resolver.h"

namespace falconer::app {

std::unique_ptr<net::Resolver> ResolverFrom(
    const std::vector<boost::asio::ip::udp::endpoint>& name_servers) {
  if (name_servers.empty()) return std::make_unique<net::SystemResolver>();
  std::vector<std::unique_ptr<net::Resolver>> servers;
  for (const auto& server : name_servers) {
    servers.push_back(std::make_unique<net::DnsResolver>(server));
  }
  return std::make_unique<net::ResolverChain>(std::move(servers));
}

}  // namespace falconer::app
