#pragma once
// What a client says it would rather be answered with (RFC 9110, Accept).

#include <string_view>

#include "net/http_message.h"

namespace falconer::api {

// Whether it names `wanted` and likes it at least as much as `other`; of equals what it names
// first. Who takes anything wants nothing special.
bool PrefersMedia(const net::HttpRequest& request, std::string_view wanted, std::string_view other);

}  // namespace falconer::api
