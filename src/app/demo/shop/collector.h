#pragma once
// Collector: the origin that the demo's hostile review wants agents to go to. It gives nothing and
// counts what reaches it, to prove that nothing did.

#include <cstdint>
#include <string>

#include "net/http_server.h"

namespace falconer::app {

class Collector {
 public:
  // The clock must outlive the collector.
  Collector(const Executor& executor, Clock& clock);

  // kNetworkError when no port can be had.
  Result<void> Start() { return server_.Listen(); }
  Task<void> Stop(CallContext ctx) { return server_.Stop(std::move(ctx)); }

  // "http://127.0.0.1:40124"
  std::string origin() const;
  std::int64_t requests() const { return requests_; }

 private:
  Task<net::HttpResponse> Count(net::HttpRequest request);

  std::int64_t requests_ = 0;
  net::HttpServer server_;
};

}  // namespace falconer::app
