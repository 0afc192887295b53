#pragma once
// The subprotocols that a client offers with a WebSocket handshake.

#include <string_view>
#include <vector>

#include "net/http_message.h"

namespace falconer::api {

// In the order they came; they last as long as the request.
std::vector<std::string_view> OfferedProtocols(const net::HttpRequest& request);

}  // namespace falconer::api
