#pragma once
// DnsResolver: asks one name server directly, without the machine's own files and caches: A and
// AAAA at the same time over UDP, aliases followed, again over TCP when an answer did not fit.

#include <chrono>

#include <boost/asio/ip/udp.hpp>

#include "net/egress/dns_message.h"
#include "net/egress/resolver.h"

namespace falconer::net {

class DnsResolver final : public Resolver {
 public:
  struct Options {
    Duration try_timeout = std::chrono::seconds(2);
    int tries = 2;
    int max_aliases = 8;  // in a row
  };

  explicit DnsResolver(boost::asio::ip::udp::endpoint server);
  DnsResolver(boost::asio::ip::udp::endpoint server, Options options);

  Task<Result<Addresses>> Resolve(CallContext ctx, std::string name) override;

 private:
  // The addresses of one kind; none when the name has none of that kind.
  Task<Result<Addresses>> ResolveType(CallContext ctx, DnsQuestion question);
  Task<Result<DnsReply>> Ask(CallContext ctx, DnsQuestion question);
  Task<Result<DnsReply>> AskOnce(CallContext ctx, DnsQuestion question);
  Task<Result<DnsReply>> AskByTcp(CallContext ctx, DnsQuestion question);

  boost::asio::ip::udp::endpoint server_;
  Options options_;
};

}  // namespace falconer::net
