#pragma once
// EgressRule: who may go where. The egress proxy asks it twice about everything that wants to
// leave: before the name is looked up (a lookup alone can carry data away), and again about every
// address the name led to. Whoever decides implements it; the proxy only obeys.

#include <cstdint>
#include <string>

#include <boost/asio/ip/address.hpp>

#include "base/ids.h"
#include "base/json/json_reader.h"

namespace falconer::net {

enum class EgressKind : std::uint8_t {
  kHttp,       // one plain request
  kConnect,    // a tunnel: https, and WebSockets as browsers open them through a proxy
  kWebSocket,  // a plain request that asks to become a WebSocket
};

inline constexpr EnumName<EgressKind> kEgressKinds[] = {
    {EgressKind::kHttp, "http"},
    {EgressKind::kConnect, "connect"},
    {EgressKind::kWebSocket, "websocket"},
};

struct EgressAsk {
  SessionId session;
  EgressKind kind = EgressKind::kHttp;
  std::string host;  // "example.org", "127.0.0.1", "[::1]": lower case, no dot at the end
  std::uint16_t port = 0;
  std::string method = {};  // "GET", "CONNECT"
};

struct EgressVerdict {
  bool is_allowed = false;
  std::string rule = {};    // what decided
  std::string reason = {};  // a stable word
  std::string id = {};      // of the decision on record, "" when there is none
};

// Asked on the proxy's event loop; must answer at once.
class EgressRule {
 public:
  virtual ~EgressRule() = default;

  virtual EgressVerdict DecideHost(const EgressAsk& ask) = 0;
  // Asked for each address of the host; one that is refused refuses the host as a whole. A public
  // site has no reason to answer with an address inside as well: such a mixture is how rebinding
  // with several records works.
  virtual EgressVerdict DecideAddress(const EgressAsk& ask,
                                      const boost::asio::ip::address& address) = 0;
};

}  // namespace falconer::net
