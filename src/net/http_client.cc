#include "net/http_client.h"

#include <utility>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include "net/dial.h"
#include "net/io_token.h"
#include "net/io_watch.h"

namespace falconer::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

Result<http::request<http::string_body>> MessageOf(HttpCall call, const PlainUrl& address) {
  const auto verb = http::string_to_verb(call.method);
  if (verb == http::verb::unknown || verb == http::verb::connect) {
    return Fail(ErrorCode::kInvalidArgument, "method " + call.method + " cannot be sent");
  }
  http::request<http::string_body> message(verb, address.target, kHttp11);
  message.set(http::field::host, address.authority);
  message.set(http::field::connection, "close");
  for (const auto& field : call.headers) message.set(field.name, field.value);
  message.body() = std::move(call.body);
  message.prepare_payload();
  return message;
}

HttpReply ReplyOf(http::response<http::string_body> message) {
  HttpReply reply{.status = static_cast<int>(message.result_int()), .headers = {}, .body = {}};
  for (const auto& field : message) {
    reply.headers.Add(std::string(field.name_string()), std::string(field.value()));
  }
  reply.body = std::move(message.body());
  return reply;
}

}  // namespace

Task<Result<HttpReply>> SendHttp(CallContext ctx, HttpCall call) {
  CO_TRY_ASSIGN(const PlainUrl address, ParsePlainUrl(call.url, "http"));
  const bool has_no_body = call.method == "HEAD";
  const auto limit = call.max_reply_bytes;
  CO_TRY_ASSIGN(auto message, MessageOf(std::move(call), address));
  CO_TRY_ASSIGN(auto socket, co_await Dial(ctx, address));
  const IoWatch watch(ctx, [&] {
    boost::system::error_code ignored;
    socket.close(ignored);
  });

  const auto [unsent, written] = co_await http::async_write(socket, message, kAsTuple);
  if (unsent) co_return Fail(watch.Explain(unsent, "send request"));
  http::response_parser<http::string_body> parser;
  parser.body_limit(limit);
  parser.skip(has_no_body);
  beast::flat_buffer buffer;
  const auto [unread, received] = co_await http::async_read(socket, buffer, parser, kAsTuple);
  if (unread) co_return Fail(watch.Explain(unread, "read reply"));
  co_return ReplyOf(parser.release());
}

}  // namespace falconer::net
