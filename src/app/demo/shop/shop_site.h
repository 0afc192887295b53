#pragma once
// ShopSite: the demo's shop on a free port of this machine, reachable from nowhere else.

#include <string>
#include <string_view>

#include "app/demo/shop/shop.h"
#include "net/http_server.h"

namespace falconer::app {

class ShopSite {
 public:
  // The clock must outlive the site.
  ShopSite(const Executor& executor, Clock& clock, ShopAccount account, std::string collector);

  // kNetworkError when no port can be had.
  Result<void> Start() { return server_.Listen(); }
  Task<void> Stop(CallContext ctx) { return server_.Stop(std::move(ctx)); }

  // "http://127.0.0.1:40123" and the path.
  std::string Url(std::string_view path) const;
  // "127.0.0.1:40123"
  std::string host() const;
  const Shop& shop() const { return shop_; }

 private:
  Task<net::HttpResponse> Answer(net::HttpRequest request);

  Executor executor_;
  Clock& clock_;
  Shop shop_;
  net::HttpServer server_;
};

}  // namespace falconer::app
