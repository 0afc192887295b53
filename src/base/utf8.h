#pragma once
// UTF-8 as RFC 3629 defines it.

#include <cstddef>
#include <string>
#include <string_view>

namespace falconer {

// True for well-formed UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool IsValidUtf8(std::string_view text);

// Code points in well-formed UTF-8; the limits on what callers send are counted in these.
std::size_t Utf8Length(std::string_view text);

// The first `most` bytes of well-formed UTF-8, or fewer: a character is kept whole or left out.
std::string_view Utf8Prefix(std::string_view text, std::size_t most);

// The text with U+FFFD in the place of each byte that belongs to no character.
std::string MendedUtf8(std::string text);

}  // namespace falconer
