#pragma once
// EgressOptions: how the egress proxy behaves towards everybody.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/async/deadline.h"

namespace falconer::net {

// Another HTTP proxy, through which everything leaves.
struct UpstreamProxy {
  enum class Names : std::uint8_t {
    kResolvedHere,   // it is told the address that was checked
    kResolvedThere,  // it is told the name; addresses behind names cannot be checked then
  };

  std::string host;
  std::uint16_t port = 0;
  std::string user = {};  // "": no credentials
  std::string password = {};
  Names names = Names::kResolvedHere;
};

struct EgressOptions {
  std::string address = "127.0.0.1";  // a loopback address
  std::uint16_t port = 0;             // 0: any free one
  // Connections beyond this wait in the system's backlog until another one closes.
  std::size_t max_connections = 1024;
  std::size_t max_header_bytes = std::size_t{128} << 10;  // of requests (beyond: 431) and answers
  Duration header_timeout = std::chrono::seconds(10);     // from the first byte; beyond: 408
  Duration idle_timeout = std::chrono::seconds(75);       // between requests
  Duration dial_timeout = std::chrono::seconds(20);       // looking up and connecting; beyond: 504
  Duration next_address_after = std::chrono::milliseconds(250);
  Duration quiet_timeout = std::chrono::minutes(5);  // no byte in either direction
  // The same once one side of a tunnel has closed.
  Duration half_closed_timeout = std::chrono::seconds(30);
  std::optional<UpstreamProxy> upstream = std::nullopt;
};

}  // namespace falconer::net
