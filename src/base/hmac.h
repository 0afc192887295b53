#pragma once
// HMAC-SHA256 (RFC 2104): a digest that only who has the key can make.

#include <string>
#include <string_view>

#include "base/sha256.h"

namespace falconer {

Sha256Digest HmacSha256(std::string_view key, std::string_view text);
// The same as 64 lower-case hex digits.
std::string HmacSha256Hex(std::string_view key, std::string_view text);

}  // namespace falconer
