#include "browser/network/request_rule.h"

#include <algorithm>

namespace falconer::browser {
namespace {

char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), Lower);
  return lower;
}

std::string RequestFacts::HeaderValue(std::string_view name) const {
  const auto found = std::ranges::find_if(headers, [&](const RequestHeader& header) {
    return std::ranges::equal(header.name, name, {}, Lower, Lower);
  });
  return found == headers.end() ? "" : found->value;
}

}  // namespace falconer::browser
