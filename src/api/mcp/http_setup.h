#pragma once
// What MCP over HTTP is made of: who calls, what they are offered, and how much of it.

#include <chrono>
#include <compare>
#include <cstddef>
#include <functional>
#include <string>

#include "api/mcp/mcp_server.h"

namespace falconer::api {

// An authenticated caller. What belongs to one is closed to every other.
struct McpClient {
  std::string agent;
  std::string role;

  auto operator<=>(const McpClient&) const = default;
};

// What is offered to one session, and what ends with it.
struct SessionTools {
  McpOffer offer;
  // Called once, after the session's calls have ended. Null for nothing.
  std::function<Task<void>(Error reason)> stop = nullptr;
};

struct McpHttpSetup {
  // Called once per session; what the tools remember of their client is remembered there.
  std::function<SessionTools(const McpClient& who)> tools;
  ServerIdentity identity;
};

struct McpHttpLimits {
  // Sessions of one client that began with `initialize`. When all are in use, the least recently
  // used one that nobody has needed for `spare_after` ends; without one the next is refused.
  std::size_t sessions_per_client = 16;
  Duration spare_after = std::chrono::minutes(1);
  // Of all clients. A client of the newest revision needs one, however many requests it sends.
  std::size_t sessions_at_once = 512;
  // A session without a request, a call under way or an open stream ends after this.
  Duration idle_timeout = std::chrono::minutes(30);

  std::size_t calls_per_session = 64;
  std::size_t calls_at_once = 512;

  // What is kept of one stream, sent or not. When it is full the oldest goes; the newest stays.
  std::size_t events_per_stream = 256;
  std::size_t bytes_per_stream = 1UZ << 20U;
  // Of the streams of a session that have ended, for a client that lost its connection.
  std::size_t kept_streams = 16;
  std::size_t kept_bytes = 16UZ << 20U;

  // A request that takes longer is answered by a stream: only there is a hang-up noticed.
  Duration stream_after = std::chrono::seconds(1);
  // The longest silence of a stream.
  Duration keep_alive = std::chrono::seconds(15);
};

}  // namespace falconer::api
