#pragma once
// The type of a file, from what is in it. Its name only chooses among what the content can be.

#include <string_view>

namespace falconer::browser {

// How many bytes of a file decide.
inline constexpr std::size_t kMimeHead = 512;

// "application/octet-stream" when nothing fits. `head` is the beginning of the file.
std::string_view SniffMime(std::string_view head, std::string_view name);

}  // namespace falconer::browser
