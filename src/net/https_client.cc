#include "net/https_client.h"

#include <utility>

#include "net/http_exchange.h"
#include "net/tls_client.h"

namespace falconer::net {

namespace ssl = boost::asio::ssl;

Task<Result<HttpReply>> SendHttps(CallContext ctx, HttpCall call, TlsTrust trust) {
  CO_TRY_ASSIGN(const PlainUrl address, ParsePlainUrl(call.url, "https"));
  const auto limit = call.max_reply_bytes;
  CO_TRY_ASSIGN(auto message, RequestMessageOf(std::move(call), address));
  ssl::context context(ssl::context::tls_client);
  CO_TRY(PrepareTlsClient(context, trust));
  CO_TRY_ASSIGN(auto socket, co_await Dial(ctx, address));
  ByteStream stream(std::move(socket), context);
  const IoWatch watch(ctx, [&] { stream.Close(); });
  ExpectHost(stream.tls(), address.host);
  const auto untrusted = co_await stream.Handshake(ssl::stream_base::client);
  if (untrusted) co_return Fail(watch.Explain(untrusted, "agree on TLS with " + address.authority));
  co_return co_await Exchange(&stream, std::move(message), limit, &watch);
}

Task<Result<HttpReply>> SendWeb(CallContext ctx, HttpCall call, TlsTrust trust) {
  if (!call.url.starts_with("https:")) return SendHttp(std::move(ctx), std::move(call));
  return SendHttps(std::move(ctx), std::move(call), std::move(trust));
}

}  // namespace falconer::net
