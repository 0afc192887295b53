#pragma once
// What somebody typed, found again in texts of pages: a heading that repeats a search, a button
// that names who is logged in. Compared without regard to the case of letters and to runs of
// spaces.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace falconer::predict {

// Where one of the typed texts stands in a text: [begin, end), in bytes.
struct TypedPlace {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t typed = 0;  // which of them
  bool is_cut = false;    // only the begin of it, where the text ends
  bool is_same = true;    // letter by letter
};

// In order, without overlaps; of several that begin at a place the longest. Texts of less than
// three bytes are found only where they are everything that is there; the others as whole words.
std::vector<TypedPlace> PlacesOf(std::span<const std::string> typed, std::string_view text);

// The text with "*" in each of these places.
std::string WithoutTyped(std::span<const std::string> typed, std::string_view text);

// Every run of white space as one space, none at the ends.
std::string FoldSpaces(std::string_view text);

}  // namespace falconer::predict
