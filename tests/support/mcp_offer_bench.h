#pragma once
// McpOfferBench: a server of the protocol with an offer of the test's, and clients of both eras.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "api/mcp/mcp_server.h"
#include "tests/support/settle.h"

namespace falconer::test {

class McpOfferBench {
 public:
  McpOfferBench(const CallContext& ctx, api::McpOffer offer)
      : server(ctx.executor(), ctx.clock(), std::move(offer),
               {.name = "falconer", .title = "Falconer", .version = "9", .instructions = ""},
               [this](const std::string& line) { lines.push_back(*ParseJsonObject(line)); }) {}

  // Sends a request without waiting for anything.
  void Send(std::string_view method, json::object params = {}, std::int64_t id = 1) {
    server.OnMessage(json::serialize(json::object{
        {"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}}));
  }
  void SendModern(std::string_view method, json::object params = {}, std::int64_t id = 1) {
    json::object meta{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                      {"io.modelcontextprotocol/clientCapabilities", capabilities}};
    for (const auto& [key, value] : more_meta) meta[key] = value;
    params["_meta"] = std::move(meta);
    Send(method, std::move(params), id);
  }
  // The last line that came of it.
  Task<json::object> Ask(std::string method, json::object params = {}) {
    lines.clear();
    Send(method, std::move(params));
    co_return co_await Last();
  }
  Task<json::object> AskModern(std::string method, json::object params = {}) {
    lines.clear();
    SendModern(method, std::move(params));
    co_return co_await Last();
  }
  Task<void> Initialize(std::string version = "2025-11-25") {
    co_await Ask("initialize", {{"protocolVersion", version}, {"capabilities", capabilities}});
    lines.clear();
  }
  Task<void> Stop() { return server.Stop(Error(ErrorCode::kCancelled, "over")); }

  // What the client says of itself.
  json::object capabilities;
  json::object more_meta;
  std::vector<json::object> lines;
  api::McpServer server;

 private:
  Task<json::object> Last() {
    co_await Settle();
    EXPECT_FALSE(lines.empty());
    co_return lines.empty() ? json::object() : lines.back();
  }
};

// Of an answer that is an error; 0 for another.
inline std::int64_t FailureIn(const json::object& line) {
  const json::value* error = line.if_contains("error");
  return error == nullptr ? 0 : error->at("code").as_int64();
}

}  // namespace falconer::test
