#pragma once
// HttpExchange: one request that came by POST, and what goes back for it: its answer alone as JSON
// when that comes soon, or a stream of events when there is more to say or it takes longer.

#include <functional>
#include <memory>
#include <optional>

#include "api/mcp/http_headers.h"
#include "api/mcp/mcp_server.h"
#include "api/mcp/sse_stream.h"

namespace falconer::api {

struct HttpExchangeSetup {
  McpEra era = McpEra::kModern;
  AcceptedForms forms;
  std::shared_ptr<SseStream> stream;
  // Takes what is for the client and cannot go by the stream of the exchange.
  std::function<void(std::string message)> elsewhere;
};

class HttpExchange {
 public:
  explicit HttpExchange(HttpExchangeSetup setup) : setup_(std::move(setup)) {}
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

  // Something for the client.
  void Send(McpOutgoing out);
  // Waits until it is known how to answer, at most until `patience` is over when the client takes
  // streams. `kept` stays until the answer is on its way, or nobody reads it any more.
  static Task<net::HttpResponse> Respond(CallContext ctx, std::shared_ptr<HttpExchange> self,
                                         Duration patience, std::shared_ptr<void> kept);

  // Whether nothing more of it comes.
  bool is_over() const { return is_over_; }
  bool has_failed() const { return answer_ && answer_->failure != 0; }
  bool is_stream() const { return is_stream_; }

 private:
  void BecomeStream();
  void Finish(McpOutgoing out);
  net::HttpResponse Whole() const;

  HttpExchangeSetup setup_;
  // Not kept when it went by the stream.
  std::optional<McpOutgoing> answer_;
  bool is_stream_ = false;
  bool is_over_ = false;
  Notifier changes_;
};

}  // namespace falconer::api
