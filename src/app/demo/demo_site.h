#pragma once
// DemoSite: the demo's page on a free port of this machine, reachable from nowhere else.

#include <string>

#include "net/http_server.h"

namespace falconer::app {

class DemoSite {
 public:
  // The clock must outlive the site.
  DemoSite(const Executor& executor, Clock& clock);

  // kNetworkError when no port can be had.
  Result<void> Start();
  Task<void> Stop(CallContext ctx) { return server_.Stop(std::move(ctx)); }

  // "http://127.0.0.1:40123/"
  std::string url() const;

 private:
  net::HttpServer server_;
};

}  // namespace falconer::app
