#pragma once
// McpHttp: MCP over "Streamable HTTP", both eras at one endpoint. What a request says decides how
// it is answered: one of 2026-07-28 stands for itself; one up to 2025-11-25 belongs to a session
// that began with `initialize`. Who calls has been authenticated, and Host and Origin were checked,
// before anything comes here.
//
// Everything runs on the given executor, one thing at a time.

#include <string>

#include "api/mcp/http_sessions.h"
#include "net/http_message.h"

namespace falconer::api {

class McpHttp {
 public:
  McpHttp(Executor executor, Clock& clock, McpHttpSetup setup, McpHttpLimits limits = {});
  McpHttp(const McpHttp&) = delete;
  McpHttp& operator=(const McpHttp&) = delete;

  // Answers one request to the endpoint. Whatever is refused is a JSON-RPC error with the status
  // that HTTP has for it; `data.code` names it where the protocol has no code of its own.
  Task<net::HttpResponse> Handle(net::HttpRequest request, McpClient who);

  // Cancels every call (each is answered), ends every session and every stream, and refuses what
  // comes later. Must be over before this object goes.
  Task<void> Stop(Error reason);

  // Those that clients hold, and one per client of the newest revision.
  std::size_t sessions() const { return sessions_.size(); }

 private:
  using Handler = Task<net::HttpResponse> (McpHttp::*)(net::HttpRequest, McpClient);
  struct MethodRow {
    std::string_view name;
    Handler handle;
  };
  static const MethodRow kMethods[];

  Task<net::HttpResponse> Post(net::HttpRequest request, McpClient who);
  Task<net::HttpResponse> PostModern(net::HttpRequest request, RpcMessage message, McpClient who);
  Task<net::HttpResponse> PostLegacy(net::HttpRequest request, RpcMessage message, McpClient who);
  Task<net::HttpResponse> Initialize(net::HttpRequest request, RpcMessage message, McpClient who);
  Task<net::HttpResponse> Ask(HttpSessions::Ptr session, RpcMessage message, AcceptedForms forms);
  Task<net::HttpResponse> Get(net::HttpRequest request, McpClient who);
  Task<net::HttpResponse> Delete(net::HttpRequest request, McpClient who);
  // The session that the headers name; otherwise why it cannot be used.
  std::expected<HttpSessions::Ptr, net::HttpResponse> SessionOf(const net::HttpHeaders& headers,
                                                                const McpClient& who,
                                                                const json::value& id = nullptr);

  HttpSessions sessions_;
};

}  // namespace falconer::api
