// Serves what the conformance suite of MCP asks for, over the same server, front desk and endpoint
// as the product. Prints its address; ends with its standard input.

#include <iostream>
#include <string>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "api/http/front_desk.h"
#include "api/mcp/http_endpoint.h"
#include "net/http_server.h"
#include "tests/conformance_mcp/fixture_resources.h"
#include "tests/conformance_mcp/fixture_tools.h"

namespace falconer::test {
namespace {

constexpr auto kStopTime = std::chrono::seconds(1);

void Append(std::vector<api::Tool>& to, std::vector<api::Tool> more) {
  for (api::Tool& tool : more) to.push_back(std::move(tool));
}

api::McpOffer Offer(const std::shared_ptr<api::ChangeFeed>& changes) {
  std::vector<api::Tool> tools = PlainTools();
  Append(tools, WaitingTools());
  Append(tools, RepeatedTools());
  Append(tools, TaskTools());
  Append(tools, ChangingTools(changes));
  api::McpOffer offer(api::ToolCatalog(std::move(tools)));
  offer.resources = FixtureResources();
  offer.prompts = FixturePrompts();
  offer.completer = FixtureCompleter();
  offer.changes = changes;
  offer.has_logs = true;
  return offer;
}

api::McpHttpSetup Setup() {
  using enum api::OfferChange;
  const auto changes =
      std::make_shared<api::ChangeFeed>(api::OfferChanges{kTools, kPrompts, kResources, kResource});
  return {.tools = [changes](const api::McpClient&) { return api::SessionTools{Offer(changes)}; },
          .identity = {.name = "falconer-conformance",
                       .title = "Falconer",
                       .version = FALCONER_VERSION,
                       .instructions = ""}};
}

class FixtureServer {
 public:
  FixtureServer()
      : mcp_(io_.get_executor(), clock_, Setup()),
        desk_(clock_, {}, api::Router(Routes()), {.hosts = {"127.0.0.1", "localhost"}}),
        server_(io_.get_executor(), clock_, [this](net::HttpRequest request) {
          return desk_.Answer(CallContext(io_.get_executor(), clock_), std::move(request));
        }) {}

  // Until standard input ends.
  int Run() {
    if (const auto listening = server_.Listen(); !listening) {
      std::cerr << Describe(listening.error()) << "\n";
      return 1;
    }
    std::cout << "http://127.0.0.1:" << server_.port() << "/mcp\n" << std::flush;
    std::thread loop([this] { io_.run(); });
    for (std::string line; std::getline(std::cin, line);) {
    }
    boost::asio::co_spawn(io_, Stop(), [this](const std::exception_ptr&) { io_.stop(); });
    loop.join();
    return 0;
  }

 private:
  std::vector<api::Route> Routes() {
    std::vector<api::Route> routes;
    for (const std::string_view method : {"POST", "GET", "DELETE"}) {
      routes.push_back(
          {.method = method,
           .pattern = "/mcp",
           .tag = "mcp",
           .summary = "MCP",
           .roles = {},
           .handler = [this](const CallContext&,
                             api::RouteCall call) { return Answer(this, std::move(call.request)); },
           .door = api::Door::kOpen});
    }
    return routes;
  }

  static Task<Result<net::HttpResponse>> Answer(FixtureServer* self, net::HttpRequest request) {
    co_return co_await self->mcp_.Handle(std::move(request), {.agent = "suite", .role = "agent"});
  }

  Task<void> Stop() {
    co_await mcp_.Stop(Error(ErrorCode::kCancelled, "over"));
    co_await server_.Stop(CallContext(io_.get_executor(), clock_).WithTimeout(kStopTime));
  }

  SystemClock clock_;
  boost::asio::io_context io_;
  api::McpHttp mcp_;
  api::FrontDesk desk_;
  net::HttpServer server_;
};

}  // namespace
}  // namespace falconer::test

int main() {
  return falconer::test::FixtureServer().Run();
}
