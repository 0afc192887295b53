#pragma once
// The header by which a client says that it sends the same thing again.

#include <optional>
#include <string>

#include "net/http_message.h"

namespace falconer::api {

// Idempotency-Key: a quoted text, or as many write it, a bare one. kInvalidArgument.
Result<std::optional<std::string>> IdempotencyKey(const net::HttpRequest& request);

}  // namespace falconer::api
