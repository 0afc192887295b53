#pragma once
// UTF-8 as RFC 3629 defines it.

#include <string_view>

namespace falconer {

// True for well-formed UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool IsValidUtf8(std::string_view text);

}  // namespace falconer
