#pragma once
// Failures as the server tells them: RFC 9457 problem documents with our stable codes.

#include "base/error.h"
#include "net/http_message.h"

namespace falconer::api {

// {"type", "title", "status", "detail", "code", "retryable", "retry_after_ms"?, "denial_id"?,
// "details"?}.
boost::json::object ProblemJson(const Error& error);
// The same as a response, with Retry-After where it is known when to come again.
net::HttpResponse Problem(const Error& error);

// An object as JSON.
net::HttpResponse JsonResponse(int status, const boost::json::value& value);

}  // namespace falconer::api
