#pragma once
// "Did you mean ...?" for words that people type.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace falconer {

// How many letters must be added, removed, replaced or swapped with their neighbour.
std::size_t EditDistance(std::string_view a, std::string_view b);

// The known word that was probably meant: the nearest one, if it is near enough, or the only one
// that begins with `word`.
std::optional<std::string> Closest(std::string_view word, std::span<const std::string> known);

}  // namespace falconer
