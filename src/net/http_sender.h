#pragma once
// HttpSender: puts responses on the wire.

#include <boost/asio/ip/tcp.hpp>

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
  // `*socket` and `*watch` must outlive it; the watch interrupts the socket.
  HttpSender(boost::asio::ip::tcp::socket* socket, IoWatch* watch, const Clock& clock,
             Duration write_timeout)
      : socket_(socket), watch_(watch), clock_(clock), write_timeout_(write_timeout) {}

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

  boost::asio::ip::tcp::socket* socket_;
  IoWatch* watch_;
  const Clock& clock_;
  Duration write_timeout_;
};

}  // namespace falconer::net
