#include "base/list_parts.h"

#include <algorithm>

#include "base/text.h"

namespace falconer {

std::vector<std::string_view> ListParts(std::string_view list) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view part = Trim(list.substr(0, comma));
    if (!part.empty()) parts.push_back(part);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parts;
}

}  // namespace falconer
