#pragma once
// EgressConnection: one client of the egress proxy, from its first byte to its last.

#include <functional>
#include <memory>

#include <boost/asio/ip/tcp.hpp>

#include "base/async/call_context.h"
#include "net/egress/egress_observer.h"
#include "net/egress/egress_options.h"
#include "net/egress/egress_session.h"
#include "net/egress/resolver.h"

namespace falconer::net {

// What every connection works with. All of it must outlive the connections.
struct EgressKit {
  Resolver& resolver;
  EgressRule& rule;
  EgressObserver& observer;
  const EgressOptions& options;
  // The session a Proxy-Authorization field speaks for; nullptr for none.
  std::function<std::shared_ptr<EgressSession>(std::string_view field)> identify;
  // Numbers for events.
  std::uint64_t* last_event;
};

class EgressConnection {
 public:
  EgressConnection(boost::asio::ip::tcp::socket socket, const CallContext& ctx,
                   const EgressKit& kit);
  ~EgressConnection();
  EgressConnection(const EgressConnection&) = delete;
  EgressConnection& operator=(const EgressConnection&) = delete;

  // Serves requests one after the other until either side wants to stop.
  Task<void> Run();
  // Ends it now, whatever goes on.
  void BreakOff();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace falconer::net
