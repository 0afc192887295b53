#pragma once
// What the headers of a request to the MCP endpoint say, and whether the message agrees with them.

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "api/mcp/json_rpc.h"
#include "net/http_message.h"

namespace falconer::api {

inline constexpr std::string_view kVersionHeader = "MCP-Protocol-Version";
inline constexpr std::string_view kSessionHeader = "MCP-Session-Id";
inline constexpr std::string_view kLastEventHeader = "Last-Event-ID";
inline constexpr std::string_view kJsonType = "application/json";
inline constexpr std::string_view kStreamType = "text/event-stream";

// The forms of an answer that a client takes. One that does not say takes none: revisions ask for
// the header.
struct AcceptedForms {
  bool json = false;
  bool stream = false;
};
AcceptedForms FormsAcceptedIn(const net::HttpHeaders& headers);

// Whether the body is said to be JSON.
bool IsJsonBody(const net::HttpHeaders& headers);
// Whether the headers alone say that the request is in a revision without sessions.
bool AreModern(const net::HttpHeaders& headers);

// The value of a header that repeats something of the message, decoded; empty when it is not there.
// Fails when it is there twice, or cannot be decoded.
std::expected<std::optional<std::string>, RpcFailure> RepeatedIn(const net::HttpHeaders& headers,
                                                                 std::string_view name);
RpcFailure HeaderMismatch(std::string message);

// What is wrong with a modern request: its headers must repeat what it says.
std::optional<RpcFailure> CheckModernPost(const net::HttpHeaders& headers,
                                          const RpcMessage& request);
// What is wrong with the version of a request within a session. Older clients do not name it.
std::optional<RpcFailure> CheckLegacyVersion(const net::HttpHeaders& headers);

}  // namespace falconer::api
