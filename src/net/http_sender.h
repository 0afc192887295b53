#pragma once
// HttpSender: puts responses on the wire.

#include <boost/beast/core/flat_buffer.hpp>

#include "net/byte_stream.h"
#include "net/http_message.h"
#include "net/io_watch.h"

namespace falconer::net {

// What the request asks of the form of its response.
struct ResponseForm {
  enum class Body { kSend, kOmit };         // omitted for HEAD
  enum class After { kKeepAlive, kClose };  // of the connection
  Body body = Body::kSend;
  After after = After::kKeepAlive;
  unsigned version = 11;  // 10 for HTTP/1.0, which knows no chunks
};

class HttpSender {
 public:
  struct Times {
    const Clock& clock;
    Duration timeout;  // of each write
  };
  // What is pointed to must outlive it; the watch interrupts the stream. What the client sends
  // while it is sent a body is put into `*received`.
  HttpSender(ByteStream* stream, boost::beast::flat_buffer* received, IoWatch* watch, Times times)
      : stream_(stream),
        received_(received),
        watch_(watch),
        clock_(times.clock),
        write_timeout_(times.timeout) {}

  // Sends the whole response and says what becomes of the connection: closing is what ends a
  // streamed body in HTTP/1.0. After a failure the connection is of no further use.
  Task<Result<ResponseForm::After>> Send(HttpResponse response, ResponseForm form);
  // "100 Continue": the client may send the body it announced.
  Task<Result<void>> SendContinue();

 private:
  class Chunks;

  Task<Result<ResponseForm::After>> SendWhole(HttpResponse response, ResponseForm form);
  Task<Result<ResponseForm::After>> SendStream(HttpResponse response, ResponseForm form);
  Task<Result<void>> RunStream(BodyStream stream, BodyWriter* out);
  Task<void> UntilHangUp();

  ByteStream* stream_;
  boost::beast::flat_buffer* received_;
  IoWatch* watch_;
  const Clock& clock_;
  Duration write_timeout_;
};

}  // namespace falconer::net
