#include "api/http/openapi.h"

#include <gtest/gtest.h>

#include "api/http/routes.h"
#include "tests/support/co_test.h"

namespace falconer::api {
namespace {

class NoHost final : public ToolHost {
 public:
  Result<ToolRooms> Rooms() override { return Fail(ErrorCode::kSessionClosed, "none"); }
  Task<AnswerBudget> Budget() override { co_return AnswerBudget(); }
};

// A server in which nothing is.
struct EmptyServer {
  explicit EmptyServer(const CallContext& ctx)
      : mcp(ctx.executor(), ctx.clock(), {}),
        jobs(ctx.executor(), ctx.clock()),
        tail(ctx.executor(), ctx.clock()),
        streams(ctx.executor(), ctx.clock(), {}) {}

  NoHost host;
  McpHttp mcp;
  agent::JobQueue jobs;
  LedgerTail tail;
  StreamDesk streams;
  RestContext context{
      .host = host, .mcp = mcp, .jobs = jobs, .tail = tail, .streams = streams, .version = "1.2.3"};
};

CO_TEST(OpenApiTest, EveryRouteIsInTheDocument) {
  EmptyServer server(ctx);
  const std::vector<Route> routes = AllRoutes(server.context);

  const json::object document = OpenApiDocument(routes, server.context.version);

  std::size_t operations = 0;
  std::set<std::string> ids;
  for (const auto& path : document.at("paths").as_object()) {
    for (const auto& operation : path.value().as_object()) {
      ++operations;
      ids.insert(TextAt(operation.value().as_object(), "operationId"));
    }
  }
  EXPECT_EQ(operations, routes.size());
  EXPECT_EQ(ids.size(), routes.size()) << "names are unique";
  EXPECT_EQ(document.at("openapi"), "3.1.0");
  EXPECT_EQ(document.at("info").at("version"), "1.2.3");
  co_return;
}

CO_TEST(OpenApiTest, WhatItRefersToIsThere) {
  EmptyServer server(ctx);
  const std::vector<Route> routes = AllRoutes(server.context);
  const json::object document = OpenApiDocument(routes, server.context.version);
  const json::object& schemas = document.at("components").at("schemas").as_object();

  for (const Route& route : routes) {
    if (!route.body.empty()) EXPECT_TRUE(schemas.contains(route.body)) << route.pattern;
    const bool is_open = route.door == Door::kOpen;
    EXPECT_EQ(is_open, route.tag == "server") << route.pattern << " needs a key";
    EXPECT_FALSE(route.roles.empty()) << route.pattern;
  }
  EXPECT_TRUE(schemas.contains("Problem"));
  co_return;
}

}  // namespace
}  // namespace falconer::api
