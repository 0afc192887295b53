#pragma once
// EgressObserver: hears of everything that left, or wanted to leave, through the egress proxy, so
// that it can be put down to a turn.

#include <cstdint>
#include <optional>
#include <string>

#include <boost/asio/ip/address.hpp>

#include "base/async/clock.h"
#include "base/egress_outcome.h"
#include "net/egress/egress_rule.h"

namespace falconer::net {

struct EgressEvent {
  std::uint64_t number = 0;  // the same in OnOpened and OnEnded
  EgressAsk ask;
  std::optional<boost::asio::ip::address> address;  // the one that was dialled
  std::uint64_t bytes_up = 0;
  std::uint64_t bytes_down = 0;
  WallTime began;
  Duration took{};
  EgressOutcome outcome = EgressOutcome::kOpen;
  int status = 0;  // what the client was told; 0 when nothing
  // For kRefused, kFailed and kCut: why, as in the X-Falconer-Refused header, and what decided.
  std::string reason;
  std::string rule;
  std::string decision;
};

// Called on the proxy's event loop; must return at once.
class EgressObserver {
 public:
  virtual ~EgressObserver() = default;
  // The host is connected; nothing of the request was sent to it yet.
  virtual void OnOpened(const EgressEvent& event) = 0;
  // Bytes passed.
  virtual void OnMoved(const EgressEvent& /*event*/) {}
  // Once for every request and every tunnel of a session, refused ones included. What was refused
  // or failed is told before the client is.
  virtual void OnEnded(const EgressEvent& event) = 0;
};

}  // namespace falconer::net
