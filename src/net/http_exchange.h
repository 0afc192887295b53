#pragma once
// What the HTTP clients share: a call as the library's message, and how it is answered.
// Only for files of this room: it brings the library's headers.

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

#include "net/byte_stream.h"
#include "net/dial.h"
#include "net/http_client.h"
#include "net/io_watch.h"

namespace falconer::net {

using HttpRequestMessage = boost::beast::http::request<boost::beast::http::string_body>;

// kInvalidArgument for a method that cannot be sent.
Result<HttpRequestMessage> RequestMessageOf(HttpCall call, const PlainUrl& address);

// Sends the message and reads the whole reply, of at most `limit` bytes. `watch` interrupts the
// stream.
Task<Result<HttpReply>> Exchange(ByteStream* stream, HttpRequestMessage message, std::size_t limit,
                                 const IoWatch* watch);

}  // namespace falconer::net
