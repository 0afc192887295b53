#pragma once
// WebReply: a reply that is read piece by piece while it comes, over http or https. Whom it talks
// to is checked as SendWeb does. Letting go of it closes the connection, which is how a server
// learns that nobody wants the rest.

#include <memory>
#include <string>

#include "net/https_client.h"

namespace falconer::net {

struct WebReplyOptions {
  TlsTrust trust = {};
  // Of connecting, agreeing on TLS, sending, and waiting for the reply's headers, together.
  Duration head_timeout = std::chrono::seconds(60);
};

class WebReply {
 public:
  // Sends the request and reads the headers of the reply, whatever its status; redirects are not
  // followed. Fails as SendWeb. All that follows ends with `ctx`.
  static Task<Result<std::unique_ptr<WebReply>>> Open(CallContext ctx, HttpCall call,
                                                      WebReplyOptions options = {});
  ~WebReply();
  WebReply(const WebReply&) = delete;
  WebReply& operator=(const WebReply&) = delete;

  int status() const;
  const HttpHeaders& headers() const;

  // The next bytes of the body, as soon as there are any; "" at its end. kNetworkError for a body
  // that was broken off or is longer than the call allows, kTimeout when nothing comes for `quiet`,
  // or the cancel reason. After a failure there is nothing more to read.
  Task<Result<std::string>> Read(Duration quiet);

 private:
  class Impl;
  explicit WebReply(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace falconer::net
