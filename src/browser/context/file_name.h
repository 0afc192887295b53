#pragma once
// File names that pages suggest, made harmless.

#include <string>
#include <string_view>

namespace falconer::browser {

// A file name that is safe everywhere: no folders, no control characters, no reserved names, at
// most 120 bytes, never empty.
std::string SafeFileName(std::string_view suggested);

}  // namespace falconer::browser
