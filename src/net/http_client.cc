#include "net/http_client.h"

#include <utility>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>

#include "net/http_exchange.h"
#include "net/io_token.h"

namespace falconer::net {
namespace {

namespace http = boost::beast::http;

HttpReply ReplyOf(http::response<http::string_body> message) {
  HttpReply reply{.status = static_cast<int>(message.result_int()), .headers = {}, .body = {}};
  for (const auto& field : message) {
    reply.headers.Add(std::string(field.name_string()), std::string(field.value()));
  }
  reply.body = std::move(message.body());
  return reply;
}

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

Task<Result<HttpReply>> Exchange(ByteStream* stream, HttpRequestMessage message, std::size_t limit,
                                 const IoWatch* watch) {
  const auto [unsent, written] = co_await http::async_write(*stream, message, kAsTuple);
  if (unsent) co_return Fail(watch->Explain(unsent, "send request"));
  http::response_parser<http::string_body> parser;
  parser.body_limit(limit);
  parser.skip(message.method() == http::verb::head);
  boost::beast::flat_buffer buffer;
  const auto [unread, received] = co_await http::async_read(*stream, buffer, parser, kAsTuple);
  if (unread) co_return Fail(watch->Explain(unread, "read reply"));
  co_return ReplyOf(parser.release());
}

Task<Result<HttpReply>> SendHttp(CallContext ctx, HttpCall call) {
  CO_TRY_ASSIGN(const PlainUrl address, ParsePlainUrl(call.url, "http"));
  const auto limit = call.max_reply_bytes;
  CO_TRY_ASSIGN(auto message, RequestMessageOf(std::move(call), address));
  CO_TRY_ASSIGN(auto socket, co_await Dial(ctx, address));
  ByteStream stream(std::move(socket));
  const IoWatch watch(ctx, [&] { stream.Close(); });
  co_return co_await Exchange(&stream, std::move(message), limit, &watch);
}

}  // namespace falconer::net
