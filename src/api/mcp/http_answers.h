#pragma once
// How the MCP endpoint answers over HTTP: messages, refusals and streams as responses.

#include <string>
#include <string_view>

#include "api/mcp/mcp_server.h"
#include "net/http_message.h"

namespace falconer::api {

// One message.
net::HttpResponse MessageResponse(int status, std::string line);
// An answer of a server. From 2026-07-28 on the status says what went wrong; before, another one
// than 200 would mean that the session is over.
net::HttpResponse AnswerResponse(McpEra era, const McpOutgoing& answer);
// A message that was not taken, as the error it is for its sender.
net::HttpResponse RefusedMessage(int status, RpcFailure failure, const json::value& id = nullptr);
// The same for an error of ours, whose row says the status.
net::HttpResponse RefusedFor(const Error& error, const json::value& id = nullptr);
// With another status than that of the row.
net::HttpResponse RefusedFor(int status, const Error& error);
net::HttpResponse MethodNotAllowed(std::string_view method, std::string allowed);
// Taken, and nothing to say.
net::HttpResponse AcceptedResponse();
// A stream of events.
net::HttpResponse EventsResponse(net::BodyStream events);

}  // namespace falconer::api
