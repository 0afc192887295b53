#pragma once
// The client side of WebSocket, for plain ws:// addresses (a browser's debugging port, tests).

#include <memory>
#include <string>

#include "net/http_message.h"
#include "net/websocket.h"

namespace falconer::net {

// Connects and shakes hands. Fails with kInvalidArgument, kUnsupported (wss), kNetworkError (nobody
// there, or the server refused the upgrade; the message names the status), kTimeout, or the cancel
// reason. `headers` are added to the handshake.
Task<Result<std::unique_ptr<WebSocket>>> ConnectWebSocket(CallContext ctx, std::string url,
                                                          HttpHeaders headers = {},
                                                          WebSocketOptions options = {});

}  // namespace falconer::net
