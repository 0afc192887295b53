#pragma once
// FlawIn: what makes the bytes of a request head read differently by different servers. The HTTP
// library repairs some of it; a proxy must not, or what it checked is not what the next one reads.

#include <optional>
#include <string_view>

namespace falconer::net {

// `head` goes from the first byte to the empty line. Says what is wrong ("folded_header"), nothing
// when it is in order: whole lines, no stray control characters, no folded or nameless fields.
std::optional<std::string_view> FlawIn(std::string_view head);

}  // namespace falconer::net
