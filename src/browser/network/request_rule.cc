#include "browser/network/request_rule.h"

#include <algorithm>

#include "base/text.h"

namespace falconer::browser {

std::string RequestFacts::HeaderValue(std::string_view name) const {
  const auto found = std::ranges::find_if(
      headers, [&](const RequestHeader& header) { return IsSameWord(header.name, name); });
  return found == headers.end() ? "" : found->value;
}

}  // namespace falconer::browser
