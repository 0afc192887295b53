#include "app/demo/shop/shop_site.h"

#include <fmt/format.h>
#include <utility>

namespace falconer::app {
namespace {

// A shop for one person at a time, who sends forms.
net::HttpServerOptions SmallShop() {
  constexpr std::size_t kKiB = 1024;
  net::HttpServerOptions options;
  options.max_connections = 64;
  options.max_header_bytes = 16 * kKiB;
  options.max_body_bytes = 16 * kKiB;
  return options;
}

}  // namespace

ShopSite::ShopSite(const Executor& executor, Clock& clock, ShopAccount account,
                   std::string collector)
    : executor_(executor),
      clock_(clock),
      shop_(std::move(account), std::move(collector)),
      server_(
          executor, clock, [this](net::HttpRequest request) { return Answer(std::move(request)); },
          SmallShop()) {
}

Task<net::HttpResponse> ShopSite::Answer(net::HttpRequest request) {
  ShopAnswer answer = shop_.Answer(request);
  if (answer.delay > Duration::zero()) {
    Alarm never(executor_, clock_);
    const CallContext ctx(executor_, clock_);
    static_cast<void>(co_await ctx.WithTimeout(answer.delay).Wait(&never, "the slow page"));
  }
  co_return std::move(answer.response);
}

std::string ShopSite::host() const {
  return fmt::format("127.0.0.1:{}", server_.port());
}

std::string ShopSite::Url(std::string_view path) const {
  return fmt::format("http://{}{}", host(), path);
}

}  // namespace falconer::app
