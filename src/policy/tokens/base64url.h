#pragma once
// Base64 with the alphabet for addresses and without padding (RFC 4648 section 5), as tokens have
// it. One text for one value: what has two readings is refused.

#include <string>
#include <string_view>

#include "base/error.h"

namespace falconer::policy {

std::string EncodeBase64Url(std::string_view bytes);

// kInvalidArgument for padding, for any other character, for a length no bytes have, and for bits
// beyond the last byte.
Result<std::string> DecodeBase64Url(std::string_view text);

}  // namespace falconer::policy
