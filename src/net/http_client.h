#pragma once
// A small HTTP/1.1 client for plain http:// addresses, one connection per request: a browser's
// /json/version, health checks, tests.

#include <string>

#include "base/async/call_context.h"
#include "net/http_message.h"

namespace falconer::net {

struct HttpCall {
  std::string url;
  std::string method = "GET";
  HttpHeaders headers = {};
  std::string body = {};
  std::size_t max_reply_bytes = std::size_t{64} << 20;
};

struct HttpReply {
  int status = 0;
  HttpHeaders headers;
  std::string body;
};

// Sends the request and reads the whole reply, whatever its status; redirects are not followed.
// Fails with kInvalidArgument, kUnsupported (https), kNetworkError (nobody there, broken off, not
// HTTP, reply too long), kTimeout, or the cancel reason.
Task<Result<HttpReply>> SendHttp(CallContext ctx, HttpCall call);

}  // namespace falconer::net
