#pragma once
// The forms in which a secret can turn up: as it is, percent-encoded (either case, with "+" for
// spaces) and as browsers write addresses, in JSON (once and twice escaped), in HTML, with white
// space as pages show it, in hex, and in base64 at any place of a longer text.

#include <string>
#include <string_view>
#include <vector>

namespace falconer::policy {

// Different texts of at least kShortestSearched bytes; the value itself comes first. They are as
// secret as the value: whoever holds them wipes them.
std::vector<std::string> VariantsOf(std::string_view value);

// Shorter values would be found everywhere.
inline constexpr std::size_t kShortestSearched = 4;

}  // namespace falconer::policy
