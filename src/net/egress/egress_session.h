#pragma once
// EgressSession: one identity at the egress proxy: what it may use, what it has used, and which
// connections are its.

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "base/ids.h"

namespace falconer::net {

class EgressConnection;
class WarmSockets;

struct EgressLimits {
  std::uint64_t max_bytes_up = 0;    // 0: no limit
  std::uint64_t max_bytes_down = 0;  // 0: no limit
  std::size_t max_connections = 256;
};

struct EgressCounts {
  std::uint64_t bytes_up = 0;
  std::uint64_t bytes_down = 0;
  std::uint64_t requests = 0;  // refused ones included
  std::uint64_t refused = 0;
  std::size_t connections = 0;  // open now
};

// For the browser: the answer to the proxy's challenge.
struct EgressCredentials {
  std::string user;
  std::string password;
};

struct EgressSession {
  // Whether nothing new may begin.
  bool IsUsedUp() const {
    return (limits.max_bytes_up != 0 && counts.bytes_up >= limits.max_bytes_up) ||
           (limits.max_bytes_down != 0 && counts.bytes_down >= limits.max_bytes_down);
  }
  // Whether what goes on must end: a byte more than allowed is in the hands of the proxy.
  bool IsOverdrawn() const {
    return (limits.max_bytes_up != 0 && counts.bytes_up > limits.max_bytes_up) ||
           (limits.max_bytes_down != 0 && counts.bytes_down > limits.max_bytes_down);
  }

  SessionId id;
  std::string password;
  EgressLimits limits;
  EgressCounts counts;
  std::set<EgressConnection*> connections;
  // Opened before they were asked for.
  std::shared_ptr<WarmSockets> warm;
};

}  // namespace falconer::net
