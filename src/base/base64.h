#pragma once
// Base64 (RFC 4648, the alphabet with + and /). Decoding is the hot half: every screenshot comes
// this way.

#include <string>
#include <string_view>

#include "base/error.h"

namespace falconer {

std::string EncodeBase64(std::string_view bytes);

// Strict: padding where it belongs, no line breaks, no other characters, no stray bits at the end.
// Fails with kInvalidArgument naming the offset.
Result<std::string> DecodeBase64(std::string_view text);

}  // namespace falconer
