#pragma once
// How the head of a message is written anew on its way through the egress proxy: without what was
// meant for the proxy only, and with a framing that says exactly what follows.

#include <cstdint>
#include <string>
#include <string_view>

#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>

#include "net/egress/egress_target.h"

namespace falconer::net {

// How the end of a body is told.
struct Framing {
  enum class Kind : std::uint8_t {
    kNone,     // no body, and no word of one
    kLength,   // so many bytes
    kChunked,  // in chunks
    kToEnd,    // until the connection closes
    kAsSaid,   // no body follows; what was said of its length is passed on (HEAD, 304)
  };
  Kind kind = Kind::kNone;
  std::uint64_t length = 0;
};

enum class Upgrade : std::uint8_t { kNone, kWebSocket };
enum class ClientConnection : std::uint8_t { kKeep, kClose };

using RequestHeader = boost::beast::http::request_header<boost::beast::http::fields>;
using ResponseHeader = boost::beast::http::response_header<boost::beast::http::fields>;

// The request as the host gets it. No Via field: servers give clients behind proxies less (no
// compression), and the browser is the only client here.
std::string UpstreamHead(const RequestHeader& head, const EgressTarget& target, Framing framing,
                         Upgrade upgrade);
// The answer as the client gets it. Fields that only the proxy itself may send are left out.
std::string ClientHead(const ResponseHeader& head, Framing framing, Upgrade upgrade,
                       ClientConnection connection);

// Whether a field such as Connection lists `token`.
bool ListsToken(const boost::beast::http::fields& fields, boost::beast::http::field name,
                std::string_view token);

}  // namespace falconer::net
