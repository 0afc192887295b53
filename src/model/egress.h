#pragma once
// What left a session's browser, or wanted to: the lines that the egress proxy keeps, and what of
// them belongs to one turn.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/egress_outcome.h"
#include "base/json/json_reader.h"

namespace falconer::model {

// One request or tunnel.
struct EgressEntry {
  std::uint64_t number = 0;  // rises with every one of the proxy
  std::string host;          // "example.org", "127.0.0.1", "[::1]"
  std::uint16_t port = 0;
  std::string kind;     // "http", "connect" (https and WebSockets), "websocket"
  std::string method;   // "GET", "CONNECT"
  std::string address;  // the one that was dialled, "" when none was
  std::uint64_t bytes_up = 0;
  std::uint64_t bytes_down = 0;
  EgressOutcome outcome = EgressOutcome::kOpen;
  int status = 0;  // what the browser was told; 0 when nothing
  // For refused, failed and cut: a stable word, what decided, and the id of the decision.
  std::string reason;
  std::string rule;
  std::string decision;

  // Fields without a value are left out.
  json::object ToJson() const;
  bool operator==(const EgressEntry&) const = default;
};

// A place in the book of a session.
struct EgressMark {
  std::uint64_t seq = 0;
  std::uint64_t requests = 0;
  std::uint64_t refused = 0;
  std::uint64_t bytes_up = 0;
  std::uint64_t bytes_down = 0;
  bool operator==(const EgressMark&) const = default;
};

// What happened between a mark and now.
struct EgressReport {
  std::uint64_t requests = 0;  // that began, refused ones included
  std::uint64_t refused = 0;
  std::uint64_t bytes_up = 0;  // also of tunnels that were open before
  std::uint64_t bytes_down = 0;
  // Those that began, moved or ended, oldest first; their bytes are those of their whole life.
  std::vector<EgressEntry> entries;
  std::uint64_t dropped = 0;  // requests that are counted, but no longer fit the book

  // The newest entry about the host that was refused, failed or cut; null when there is none.
  const EgressEntry* Trouble(std::string_view host, std::uint16_t port) const;
  // Counts, the first kMaxEgressRefusals refusals, and nothing about what went well.
  json::object Summary() const;
};

inline constexpr std::size_t kMaxEgressRefusals = 20;

}  // namespace falconer::model
