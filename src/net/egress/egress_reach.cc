#include "net/egress/egress_reach.h"

#include <algorithm>
#include <utility>

#include "net/egress/address_race.h"
#include "net/egress/upstream_tunnel.h"

namespace falconer::net {
namespace {

using boost::asio::ip::tcp;

std::unexpected<EgressRefusal> NotReached(const Error& error, std::string reason) {
  return std::unexpected(FailureBecause(error, std::move(reason)));
}

Task<std::expected<Addresses, EgressRefusal>> CheckedAddresses(CallContext ctx,
                                                               const EgressKit* kit, EgressAsk ask,
                                                               EgressTarget target) {
  Addresses addresses;
  if (target.literal) {
    addresses.push_back(*target.literal);
  } else {
    auto found = co_await kit->resolver.Resolve(ctx, target.host);
    if (!found) co_return NotReached(found.error(), "name_not_resolved");
    addresses = *std::move(found);
  }
  for (const auto& address : addresses) {
    const EgressVerdict verdict = kit->rule.DecideAddress(ask, address);
    if (!verdict.is_allowed) co_return std::unexpected(RefusalBy(verdict));
  }
  co_return addresses;
}

std::string AuthorityOf(const boost::asio::ip::address& address, std::uint16_t port) {
  const std::string text = address.to_string();
  return (address.is_v6() ? "[" + text + "]" : text) + ":" + std::to_string(port);
}

Task<Result<tcp::socket>> DialProxy(CallContext ctx, const EgressKit* kit) {
  const UpstreamProxy& proxy = *kit->options.upstream;
  boost::system::error_code not_literal;
  const auto literal = boost::asio::ip::make_address(proxy.host, not_literal);
  Addresses addresses{literal};
  if (not_literal) {
    CO_TRY_ASSIGN(addresses, co_await kit->resolver.Resolve(ctx, proxy.host));
  }
  co_return co_await DialAddresses(ctx, {.addresses = std::move(addresses),
                                         .port = proxy.port,
                                         .next_after = kit->options.next_address_after});
}

// Through the other proxy, to the first of the addresses that it reaches.
Task<std::expected<ReachedHost, EgressRefusal>> ReachThrough(CallContext ctx, const EgressKit* kit,
                                                             Addresses addresses,
                                                             EgressTarget target) {
  const UpstreamProxy& proxy = *kit->options.upstream;
  const bool is_by_name = addresses.empty();
  EgressRefusal last{.status = 502, .reason = "upstream_proxy"};
  for (std::size_t i = 0; i < std::max<std::size_t>(addresses.size(), 1); ++i) {
    auto socket = co_await DialProxy(ctx, kit);
    if (!socket) co_return NotReached(socket.error(), "upstream_proxy");
    std::string authority = is_by_name ? target.host + ":" + std::to_string(target.port)
                                       : AuthorityOf(addresses[i], target.port);
    auto tunnel = co_await OpenThrough(ctx, *std::move(socket), proxy, std::move(authority));
    if (tunnel) {
      co_return ReachedHost{.socket = *std::move(tunnel),
                            .address = is_by_name ? std::nullopt : std::optional(addresses[i])};
    }
    last = FailureBecause(tunnel.error(), "upstream_proxy");
    if (!ctx.StillWanted("a tunnel")) break;
  }
  co_return std::unexpected(std::move(last));
}

}  // namespace

Task<std::expected<ReachedHost, EgressRefusal>> ReachHost(CallContext ctx, const EgressKit* kit,
                                                          EgressAsk ask, EgressTarget target) {
  const auto& upstream = kit->options.upstream;
  const bool is_resolved_there =
      upstream && upstream->names == UpstreamProxy::Names::kResolvedThere && !target.literal;
  Addresses addresses;
  if (!is_resolved_there) {
    auto checked = co_await CheckedAddresses(ctx, kit, std::move(ask), target);
    if (!checked) co_return std::unexpected(std::move(checked).error());
    addresses = *std::move(checked);
  }
  if (upstream) {
    co_return co_await ReachThrough(ctx, kit, std::move(addresses), std::move(target));
  }
  auto socket = co_await DialAddresses(ctx, {.addresses = std::move(addresses),
                                             .port = target.port,
                                             .next_after = kit->options.next_address_after});
  if (!socket) co_return NotReached(socket.error(), "host_not_reached");
  boost::system::error_code ignored;
  const auto address = socket->remote_endpoint(ignored).address();
  co_return ReachedHost{.socket = *std::move(socket), .address = address};
}

}  // namespace falconer::net
