#pragma once
// What travels over HTTP: headers, requests and responses as plain values. No library types, so
// that whoever serves or asks does not pay for the HTTP library's headers.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/async/task.h"
#include "net/shared_bytes.h"

namespace falconer::net {

class WebSocket;

// HTTP/1.1 as the library counts versions.
inline constexpr unsigned kHttp11 = 11;

// Header fields in the order they came; names compare without regard to case.
class HttpHeaders {
 public:
  struct Field {
    std::string name;
    std::string value;
  };

  HttpHeaders() = default;
  HttpHeaders(std::initializer_list<Field> fields) : fields_(fields) {}

  // Replaces every field of that name.
  void Set(std::string name, std::string value);
  void Add(std::string name, std::string value);
  // The first value of that name.
  std::optional<std::string_view> Find(std::string_view name) const;
  bool Has(std::string_view name) const { return Find(name).has_value(); }

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }
  std::size_t size() const { return fields_.size(); }

 private:
  std::vector<Field> fields_;
};

struct HttpRequest {
  std::string method = {};
  std::string target = {};  // as it came: "/a%20b?x=1"
  std::string path = {};    // percent-decoded: "/a b"
  std::string query = {};   // as it came, without the question mark: "x=1"
  HttpHeaders headers = {};
  std::string body = {};
  std::string peer = {};  // "127.0.0.1:40312"
};

// The names and values of a query string, decoded.
std::vector<std::pair<std::string, std::string>> QueryPairs(std::string_view query);
// The value of the first `key` in a query string.
std::optional<std::string> QueryValue(std::string_view query, std::string_view key);

// Splits a request target into path and query. Fails with kInvalidArgument for anything that is
// not a path, an absolute http URL or "*", for bad escapes and for control characters.
struct RequestTarget {
  std::string path;
  std::string query;
};
Result<RequestTarget> ParseRequestTarget(std::string_view target);

// Where a streamed body goes.
class BodyWriter {
 public:
  virtual ~BodyWriter() = default;
  // Returns once the chunk is handed to the system; fails when the client is gone or too slow.
  virtual Task<Result<void>> Write(std::string chunk) = 0;
  // The same for bytes that others send, too.
  virtual Task<Result<void>> WriteShared(SharedBytes chunk) {
    return Write(std::string(chunk.view()));
  }
};

// Writes the body piece by piece. It is cancelled when the client hangs up. Failing breaks the
// connection off, so that the client can tell a truncated body from a complete one.
using BodyStream = std::function<Task<Result<void>>(BodyWriter* out)>;
// Talks on an upgraded connection; the connection closes when it returns.
using WebSocketSession = std::function<Task<void>(std::shared_ptr<WebSocket> socket)>;

// Exactly one of `body`, `stream` and `websocket` is used: the last one that is set.
struct HttpResponse {
  int status = 200;
  HttpHeaders headers = {};
  std::string body = {};
  // Sent chunked, or as it is when `headers` name a Content-Length.
  BodyStream stream = nullptr;
  // Accepts a WebSocket handshake; status and body are ignored.
  WebSocketSession websocket = nullptr;
};

// A response with a body of the given type.
HttpResponse TextResponse(int status, std::string content_type, std::string body);

// Answers one request. Runs on the server's event loop; not cancelled when the client hangs up
// (the work may have effects that must be recorded), but cancelled when the server stops.
using HttpHandler = std::function<Task<HttpResponse>(HttpRequest request)>;

}  // namespace falconer::net
