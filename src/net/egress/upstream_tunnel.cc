#include "net/egress/upstream_tunnel.h"

#include <utility>

#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>

#include "base/base64.h"
#include "net/io_token.h"
#include "net/io_watch.h"

namespace falconer::net {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;

namespace {

std::string TunnelRequest(const UpstreamProxy& proxy, const std::string& authority) {
  std::string text = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
  if (!proxy.user.empty()) {
    text +=
        "Proxy-Authorization: Basic " + EncodeBase64(proxy.user + ":" + proxy.password) + "\r\n";
  }
  return text + "\r\n";
}

}  // namespace

Task<Result<tcp::socket>> OpenThrough(CallContext ctx, tcp::socket socket, UpstreamProxy proxy,
                                      std::string authority) {
  const std::string request = TunnelRequest(proxy, authority);
  const IoWatch watch(ctx, [&] {
    boost::system::error_code ignored;
    socket.close(ignored);
  });
  const auto [unsent, sent] = co_await asio::async_write(socket, asio::buffer(request), kAsTuple);
  if (unsent) co_return Fail(watch.Explain(unsent, "ask the upstream proxy"));
  http::response_parser<http::empty_body> parser;
  // What follows the head belongs to the tunnel.
  parser.skip(true);
  beast::flat_buffer buffer;
  const auto [unread, size] = co_await http::async_read_header(socket, buffer, parser, kAsTuple);
  if (unread) co_return Fail(watch.Explain(unread, "read the upstream proxy's answer"));
  const unsigned status = parser.get().result_int();
  if (status / 100 != 2) {
    co_return Fail(ErrorCode::kNetworkError,
                   "the upstream proxy answered " + std::to_string(status));
  }
  // Nobody speaks first in a tunnel but the client; bytes here would be lost or taken for others.
  if (buffer.size() > 0) {
    co_return Fail(ErrorCode::kNetworkError, "the upstream proxy sent bytes nobody asked for");
  }
  co_return std::move(socket);
}

}  // namespace falconer::net
