#pragma once
// TextValue: what stands behind the ":" or "=" of a field in a text of any kind, and where it ends.

#include <cstddef>
#include <string_view>

namespace falconer::policy {

struct TextValue {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool is_quoted = false;
  bool is_tight = false;  // nothing between the sign and the value
};

// The value behind the sign at this place, without its quotes; those may be escaped, as in JSON
// inside of JSON.
TextValue ValueAfter(std::string_view text, std::size_t sign);

// Where a value without quotes ends that begins here.
std::size_t LooseEnd(std::string_view text, std::size_t at);
// Where its line ends, also within a text in quotes.
std::size_t LineEnd(std::string_view text, std::size_t at);

}  // namespace falconer::policy
