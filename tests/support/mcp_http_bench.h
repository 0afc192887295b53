#pragma once
// McpHttpBench: the MCP endpoint on a real server on loopback, with tools that tests control, and
// what clients of both eras send.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/mcp/http_endpoint.h"
#include "net/http_client.h"
#include "net/http_server.h"
#include "tests/support/mcp_tools.h"
#include "tests/support/raw_client.h"
#include "tests/support/settle.h"

namespace falconer::test {

using HeaderMap = std::map<std::string, std::string>;

// `more` replaces what has the same name; an empty value leaves the header out.
inline HeaderMap With(HeaderMap headers, const HeaderMap& more) {
  for (const auto& [name, value] : more) {
    headers[name] = value;
    if (value.empty()) headers.erase(name);
  }
  return headers;
}

// `rest` is what the params have beside the meta data: `"name":"echo"`.
inline std::string ModernText(std::string_view id, std::string_view method,
                              std::string_view rest = "", std::string_view meta = "") {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":")" + std::string(method) +
         R"(","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
         R"("io.modelcontextprotocol/clientCapabilities":{})" + std::string(meta) + "}" +
         (rest.empty() ? "" : "," + std::string(rest)) + "}}";
}

inline HeaderMap PostHeaders() {
  return {{"Accept", "application/json, text/event-stream"}, {"Content-Type", "application/json"}};
}

inline HeaderMap ModernHeaders(std::string_view method, std::string_view name = "") {
  return With(PostHeaders(), {{"MCP-Protocol-Version", "2026-07-28"},
                              {"Mcp-Method", std::string(method)},
                              {"Mcp-Name", std::string(name)}});
}

inline std::string LegacyCall(std::string_view id, std::string_view tool,
                              std::string_view meta = "") {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id) +
         R"(,"method":"tools/call","params":{"name":")" + std::string(tool) + R"(","_meta":{)" +
         std::string(meta) + "}}}";
}

inline std::string InitializeText(std::string_view capabilities = "{}",
                                  std::string_view version = "2025-11-25") {
  return R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" +
         std::string(version) + R"(","capabilities":)" + std::string(capabilities) + "}}";
}

class McpHttpBench {
 public:
  explicit McpHttpBench(const CallContext& ctx, api::McpHttpLimits limits = {})
      : McpHttpBench(ctx, limits, ctx.clock()) {}
  // The endpoint by another clock than the server.
  McpHttpBench(const CallContext& ctx, api::McpHttpLimits limits, Clock& clock)
      : ctx_(ctx),
        endpoint(
            ctx.executor(), clock,
            {.tools = [this](const api::McpClient& who) { return api::SessionTools{Offer(who)}; },
             .identity = {.name = "falconer", .title = "", .version = "9", .instructions = ""}},
            limits),
        server_(ctx.executor(), ctx.clock(),
                [this](net::HttpRequest request) { return Serve(std::move(request)); }) {
    EXPECT_TRUE(server_.Listen());
  }

  Task<net::HttpReply> Send(std::string method, HeaderMap headers, std::string body = "") {
    net::HttpCall call{.url = "http://127.0.0.1:" + std::to_string(server_.port()) + "/mcp",
                       .method = std::move(method),
                       .body = std::move(body)};
    for (const auto& [name, value] : headers) call.headers.Set(name, value);
    auto reply = co_await net::SendHttp(ctx_, std::move(call));
    EXPECT_TRUE(reply) << Describe(reply.error());
    co_return reply ? *std::move(reply) : net::HttpReply{};
  }
  Task<net::HttpReply> Post(HeaderMap headers, std::string body) {
    return Send("POST", std::move(headers), std::move(body));
  }
  // The headers of a session that was begun.
  Task<HeaderMap> Begin(std::string agent = "alice", std::string capabilities = "{}",
                        std::string version = "2025-11-25") {
    const auto reply = co_await Post(With(PostHeaders(), {{"X-Agent", agent}}),
                                     InitializeText(capabilities, version));
    EXPECT_EQ(reply.status, 200) << reply.body;
    co_return With(
        PostHeaders(),
        {{"X-Agent", agent},
         {"MCP-Protocol-Version", version},
         {"MCP-Session-Id", std::string(reply.headers.Find("MCP-Session-Id").value_or(""))}});
  }
  // A connection on which the request has been sent.
  Task<std::unique_ptr<RawClient>> Open(std::string method, HeaderMap headers,
                                        std::string body = "") {
    auto client = std::make_unique<RawClient>(ctx_, server_.port());
    std::string text = method + " /mcp HTTP/1.1\r\nHost: x\r\n";
    for (const auto& [name, value] : headers) text += name + ": " + value + "\r\n";
    if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    co_await client->Send(text + "\r\n" + body);
    co_return client;
  }

  template <typename Holds>
  Task<void> Until(Holds holds) {
    while (!holds()) co_await Settle(2);
  }
  // Lets the tool "work" go on.
  void Release() {
    is_released_ = true;
    changes_->NotifyAll();
  }
  Task<void> Stop() {
    Release();
    co_await endpoint.Stop(Error(ErrorCode::kCancelled, "over"));
    co_await server_.Stop(ctx_.WithTimeout(std::chrono::milliseconds(50)));
  }

 private:
  CallContext ctx_;
  // Shared with the calls that wait: in a test that fails they may go later than this.
  std::shared_ptr<Notifier> changes_ = std::make_shared<Notifier>();
  bool is_released_ = false;

 public:
  std::size_t catalogs = 0;
  std::size_t begun = 0;
  std::size_t ended = 0;
  std::vector<std::string> cancelled;  // why
  std::shared_ptr<api::ChangeFeed> changes =
      std::make_shared<api::ChangeFeed>(api::OfferChanges{api::OfferChange::kTools});
  api::McpHttp endpoint;

 private:
  Task<net::HttpResponse> Serve(net::HttpRequest request) {
    std::string agent(request.headers.Find("X-Agent").value_or("alice"));
    return endpoint.Handle(std::move(request), {.agent = std::move(agent), .role = "operator"});
  }

  api::McpOffer Offer(const api::McpClient& who) {
    api::McpOffer offer(Tools(who));
    offer.changes = changes;
    return offer;
  }

  api::ToolCatalog Tools(const api::McpClient& who) {
    ++catalogs;
    api::Tool work = Named("work", Hang);
    work.run = [this](CallContext ctx, api::ToolCall call) {
      return Work(this, std::move(ctx), std::move(call));
    };
    api::Tool whoami = Named("whoami", Hang);
    whoami.run = [agent = who.agent](CallContext, api::ToolCall) { return Say(agent); };
    api::Tool routed = Named("routed", Echo);
    routed.info.input_schema["properties"] = {{"region", {{"x-mcp-header", "Region"}}}};
    api::Tool job = work;
    job.info.name = "job";
    job.tasks = api::TaskUse::kMay;
    return api::ToolCatalog({Named("echo", Echo), Named("hang", Hang), Named("ask", Ask),
                             std::move(work), std::move(whoami), std::move(routed),
                             std::move(job)});
  }

  static Task<api::ToolAnswer> Say(std::string text) {
    co_return api::ToolAnswer{.text = std::move(text)};
  }

  // Tells of its beginning, waits until it is released, tells again, and ends.
  static Task<api::ToolAnswer> Work(McpHttpBench* bench, CallContext ctx, api::ToolCall call) {
    ++bench->begun;
    call.report("begun");
    const auto changes = bench->changes_;
    const auto released =
        co_await changes->Until(ctx, [bench] { return bench->is_released_; }, "the test");
    ++bench->ended;
    if (!released) {
      bench->cancelled.push_back(released.error().message());
      co_return api::ToolAnswer{.text = released.error().message(), .is_error = true};
    }
    call.report("nearly there");
    co_return api::ToolAnswer{.text = "worked"};
  }

  // Puts a question to the person at the client.
  static Task<api::ToolAnswer> Ask(CallContext ctx, api::ToolCall call) {
    if (!call.input.ask) co_return api::ToolAnswer{.text = "cannot ask"};
    const auto said = co_await call.input.ask(ctx, {{"message", "Sure?"}});
    co_return api::ToolAnswer{.text = said ? json::serialize(*said) : Describe(said.error())};
  }

  net::HttpServer server_;
};

// The code of a JSON-RPC error; 0 for another message.
inline int RpcCodeIn(std::string_view text) {
  const auto parsed = ParseJsonObject(text);
  EXPECT_TRUE(parsed) << text;
  if (!parsed || !parsed->contains("error")) return 0;
  return static_cast<int>(parsed->at("error").at("code").as_int64());
}

// Our name of the error, where it has one.
inline std::string RpcNameIn(std::string_view text) {
  const auto parsed = ParseJsonObject(text);
  if (!parsed || !parsed->contains("error")) return "";
  const json::object& error = parsed->at("error").as_object();
  return error.contains("data") ? TextAt(error.at("data").as_object(), "code") : "";
}

}  // namespace falconer::test
