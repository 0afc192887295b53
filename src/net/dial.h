#pragma once
// Dial: from a URL to a connected TCP socket. Shared by the HTTP and the WebSocket client.

#include <string>
#include <string_view>

#include <boost/asio/ip/tcp.hpp>

#include "base/async/call_context.h"

namespace falconer::net {

struct PlainUrl {
  std::string host;       // "example.org", "127.0.0.1", "::1"
  std::string authority;  // for the Host header: "example.org:8080", "[::1]:9222"
  std::string port;
  std::string target;  // path and query, at least "/"
};

// Splits `url`, whose scheme must be `scheme` ("http", "https" or "ws"). Fails with
// kInvalidArgument when it is no URL and with kUnsupported for other schemes, naming the scheme.
Result<PlainUrl> ParsePlainUrl(std::string_view url, std::string_view scheme);

// Resolves and connects. Fails with kNetworkError, kTimeout or the cancel reason.
Task<Result<boost::asio::ip::tcp::socket>> Dial(CallContext ctx, PlainUrl url);

}  // namespace falconer::net
