#include "api/http/offered_protocols.h"

#include "base/list_parts.h"

namespace falconer::api {

std::vector<std::string_view> OfferedProtocols(const net::HttpRequest& request) {
  return ListParts(request.headers.Find("sec-websocket-protocol").value_or(""));
}

}  // namespace falconer::api
