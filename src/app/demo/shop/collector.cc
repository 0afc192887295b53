#include "app/demo/shop/collector.h"

#include <fmt/format.h>
#include <utility>

namespace falconer::app {

Collector::Collector(const Executor& executor, Clock& clock)
    : server_(executor, clock,
              [this](net::HttpRequest request) { return Count(std::move(request)); }) {
}

Task<net::HttpResponse> Collector::Count(net::HttpRequest /*request*/) {
  ++requests_;
  co_return net::HttpResponse{.status = 204};
}

std::string Collector::origin() const {
  return fmt::format("http://127.0.0.1:{}", server_.port());
}

}  // namespace falconer::app
