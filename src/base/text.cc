#include "base/text.h"

#include <algorithm>

namespace falconer {

std::string ToLower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), LowerOf);
  return lower;
}

std::string ToUpper(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(), UpperOf);
  return upper;
}

bool IsSameWord(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, LowerOf, LowerOf);
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

bool HasControl(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7F || (byte < 0x20 && c != '\t' && c != '\n' && c != '\r');
  });
}

}  // namespace falconer
