#include "net/http_client.h"

#include <utility>

#include "net/http_exchange.h"

namespace falconer::net {
namespace {

namespace http = boost::beast::http;

}  // namespace

Result<HttpRequestMessage> RequestMessageOf(HttpCall call, const PlainUrl& address) {
  const auto verb = http::string_to_verb(call.method);
  if (verb == http::verb::unknown || verb == http::verb::connect) {
    return Fail(ErrorCode::kInvalidArgument, "method " + call.method + " cannot be sent");
  }
  HttpRequestMessage message(verb, address.target, kHttp11);
  message.set(http::field::host, address.authority);
  message.set(http::field::connection, "close");
  for (const auto& field : call.headers) message.set(field.name, field.value);
  message.body() = std::move(call.body);
  message.prepare_payload();
  return message;
}

HttpReply ReplyOf(HttpResponseMessage message) {
  HttpReply reply{.status = static_cast<int>(message.result_int()), .headers = {}, .body = {}};
  for (const auto& field : message) {
    reply.headers.Add(std::string(field.name_string()), std::string(field.value()));
  }
  reply.body = std::move(message.body());
  return reply;
}

Task<Result<HttpReply>> SendHttp(CallContext ctx, HttpCall call) {
  CO_TRY_ASSIGN(const PlainUrl address, ParsePlainUrl(call.url, "http"));
  const auto limit = call.max_reply_bytes;
  CO_TRY_ASSIGN(auto message, RequestMessageOf(std::move(call), address));
  CO_TRY_ASSIGN(auto socket, co_await Dial(ctx, address));
  const IoWatch watch(ctx, [&] {
    boost::system::error_code ignored;
    socket.close(ignored);
  });
  co_return co_await Exchange(&socket, std::move(message), limit, &watch);
}

}  // namespace falconer::net
