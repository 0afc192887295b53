#include "api/http/offered_protocols.h"

#include <algorithm>

#include "base/text.h"

namespace falconer::api {

std::vector<std::string_view> OfferedProtocols(const net::HttpRequest& request) {
  std::vector<std::string_view> names;
  std::string_view rest = request.headers.Find("sec-websocket-protocol").value_or("");
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view name = Trim(rest.substr(0, comma));
    if (!name.empty()) names.push_back(name);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return names;
}

}  // namespace falconer::api
