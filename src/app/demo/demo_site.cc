#include "app/demo/demo_site.h"

#include <fmt/format.h>

#include "app/demo/demo_page.h"

namespace falconer::app {
namespace {

Task<net::HttpResponse> AnswerDemo(net::HttpRequest request) {
  if (request.path != "/") co_return net::TextResponse(404, "text/plain", "there is only /\n");
  co_return net::TextResponse(200, "text/html; charset=utf-8", std::string(DemoPage()));
}

}  // namespace

DemoSite::DemoSite(const Executor& executor, Clock& clock) : server_(executor, clock, &AnswerDemo) {
}

Result<void> DemoSite::Start() {
  return server_.Listen();
}

std::string DemoSite::url() const {
  return fmt::format("http://127.0.0.1:{}/", server_.port());
}

}  // namespace falconer::app
