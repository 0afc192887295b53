#pragma once
// What the HTTP clients share: a call as the library's message, and its reply as a plain value.
// Only for files of this room: it brings the library's headers.

#include <string>
#include <utility>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include "net/dial.h"
#include "net/http_client.h"
#include "net/io_token.h"
#include "net/io_watch.h"

namespace falconer::net {

using HttpRequestMessage = boost::beast::http::request<boost::beast::http::string_body>;
using HttpResponseMessage = boost::beast::http::response<boost::beast::http::string_body>;

// kInvalidArgument for a method that cannot be sent.
Result<HttpRequestMessage> RequestMessageOf(HttpCall call, const PlainUrl& address);
HttpReply ReplyOf(HttpResponseMessage message);

// Sends the message and reads the whole reply. `watch` interrupts the stream.
template <typename Stream>
Task<Result<HttpReply>> Exchange(Stream* stream, HttpRequestMessage message, std::size_t limit,
                                 const IoWatch* watch) {
  namespace http = boost::beast::http;
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

}  // namespace falconer::net
