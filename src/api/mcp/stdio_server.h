#pragma once
// MCP over standard input and output: one JSON message per line, both ways. Nothing else may ever
// be written to standard output: the client would take it for a message. So whoever runs the server
// takes both streams away from the rest of the process first; the log goes to standard error.

#include <chrono>
#include <cstddef>
#include <string_view>

#include "api/mcp/mcp_server.h"
#include "base/unique_fd.h"

namespace falconer::api {

// What a server is made of.
struct McpSetup {
  McpOffer offer;
  ServerIdentity identity;
  McpLimits limits = {};
  // See McpServer::OnFirstRequest.
  std::function<void()> on_first_request;
};

// The detail of an error that says which stream it is about: "input" or "output" when it is not
// open, or what leads to the client.
inline constexpr std::string_view kStreamDetail = "stream";
inline constexpr std::string_view kClientStream = "client";

struct StdioEnds {
  UniqueFd in;
  UniqueFd out;
};

struct StdioLimits {
  std::size_t longest_line = 8UZ << 20U;
  // The most bytes of answers that wait for a client that does not read.
  std::size_t most_queued = 64UZ << 20U;
  // How long calls may still take once the client has closed our input, and how long it may then
  // take to read their answers.
  Duration grace = std::chrono::seconds(1);
};

// Takes standard input and output for MCP alone. From then on whatever else this process writes to
// standard output goes to standard error, and whatever else reads standard input finds it empty.
// kIoError when either is closed.
Result<StdioEnds> TakeStdio();

// Serves one client until it closes our input; then calls that run have a moment to end, and what
// has not ended by then is cancelled and joined. Half a line at the end is no message. The same
// when `ctx` ends, but without the moment, and with its reason. Either way every call that the
// client did not cancel is answered. A line that is too long is answered with an error and skipped.
// Fails with kQueueFull when the client leaves too much unread, kTimeout when it does not read the
// last answers, kIoError when an end breaks.
Task<Result<void>> RunStdio(CallContext ctx, McpSetup setup, StdioEnds ends,
                            StdioLimits limits = {});

}  // namespace falconer::api
