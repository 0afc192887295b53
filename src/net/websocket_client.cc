#include "net/websocket_client.h"

#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/websocket.hpp>

#include "net/dial.h"
#include "net/io_watch.h"
#include "net/websocket_impl.h"

namespace falconer::net {
namespace {

namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;

Error HandshakeError(const IoWatch& watch, const boost::system::error_code& code,
                     const websocket::response_type& response) {
  if (code == websocket::error::upgrade_declined) {
    return Error(ErrorCode::kNetworkError, "websocket handshake refused with status " +
                                               std::to_string(response.result_int()));
  }
  return watch.Explain(code, "websocket handshake");
}

}  // namespace

Task<Result<std::unique_ptr<WebSocket>>> ConnectWebSocket(CallContext ctx, std::string url,
                                                          HttpHeaders headers,
                                                          WebSocketOptions options) {
  CO_TRY_ASSIGN(const PlainUrl address, ParsePlainUrl(url, "ws"));
  CO_TRY_ASSIGN(auto socket, co_await Dial(ctx, address));
  auto impl = std::make_shared<WebSocket::Impl>(ByteStream(std::move(socket)), options);
  impl->stream().set_option(websocket::stream_base::decorator(
      [fields = std::move(headers)](websocket::request_type& request) {
        for (const auto& field : fields) request.set(field.name, field.value);
      }));

  const IoWatch watch(ctx, [&] { impl->Drop(); });
  websocket::response_type response;
  const auto [code] = co_await impl->stream().async_handshake(
      response, address.authority, address.target, asio::as_tuple(asio::use_awaitable));
  if (code) co_return Fail(HandshakeError(watch, code, response));
  co_return std::make_unique<WebSocket>(std::move(impl));
}

}  // namespace falconer::net
