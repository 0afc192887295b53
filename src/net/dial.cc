#include "net/dial.h"

#include <utility>

#include <boost/asio/connect.hpp>
#include <boost/url/parse.hpp>

#include "net/io_token.h"
#include "net/io_watch.h"

namespace falconer::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::string_view kDefaultPort = "80";
constexpr std::string_view kDefaultTlsPort = "443";

}  // namespace

Result<PlainUrl> ParsePlainUrl(std::string_view url, std::string_view scheme) {
  const auto parsed = boost::urls::parse_uri(url);
  if (!parsed || !parsed->has_authority() || parsed->host_address().empty()) {
    return Fail(ErrorCode::kInvalidArgument, "not a URL with a host");
  }
  if (parsed->scheme() != scheme) {
    return Fail(ErrorCode::kUnsupported, "scheme " + std::string(parsed->scheme()) +
                                             " is not supported here, only " + std::string(scheme));
  }
  const std::string_view target = parsed->encoded_target();
  const bool is_tls = scheme == "https" || scheme == "wss";
  return PlainUrl{
      .host = parsed->host_address(),
      .authority = std::string(parsed->encoded_host_and_port()),
      .port = std::string(parsed->has_port() && !parsed->port().empty()
                              ? std::string_view(parsed->port())
                              : (is_tls ? kDefaultTlsPort : kDefaultPort)),
      .target = target.starts_with('/') ? std::string(target) : "/" + std::string(target)};
}

Task<Result<tcp::socket>> Dial(CallContext ctx, PlainUrl url) {
  tcp::resolver resolver(ctx.executor());
  tcp::socket socket(ctx.executor());
  const IoWatch watch(ctx, [&] {
    resolver.cancel();
    boost::system::error_code ignored;
    socket.close(ignored);
  });

  const auto [lookup, endpoints] = co_await resolver.async_resolve(url.host, url.port, kAsTuple);
  if (lookup || watch.has_fired()) {
    co_return Fail(watch.Explain(lookup, "resolve " + url.host));
  }
  const auto [refused, endpoint] = co_await asio::async_connect(socket, endpoints, kAsTuple);
  if (refused || watch.has_fired()) {
    co_return Fail(watch.Explain(refused, "connect to " + url.authority));
  }
  boost::system::error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  co_return std::move(socket);
}

}  // namespace falconer::net
