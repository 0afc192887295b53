#include "app/attach.h"

#include <utility>

#include "app/websocket_transport.h"
#include "base/json/json.h"
#include "model/url.h"
#include "net/http_client.h"
#include "net/websocket_client.h"

namespace falconer::app {
namespace {

Result<std::string> ReadVersion(const net::HttpReply& reply, const std::string& asked) {
  const auto parsed = ParseJsonObject(reply.body);
  if (reply.status != 200 || !parsed) {
    return Fail(ErrorCode::kProtocolError, asked + " is no browser's debugging port (status " +
                                               std::to_string(reply.status) + ")");
  }
  const json::value* url = parsed->if_contains("webSocketDebuggerUrl");
  if (url == nullptr || !url->is_string()) {
    return Fail(ErrorCode::kProtocolError, asked + " names no webSocketDebuggerUrl");
  }
  return std::string(url->get_string());
}

}  // namespace

Task<Result<std::string>> FindDebuggerUrl(CallContext ctx, std::string url) {
  const model::UrlParts parts = model::SplitUrl(url);
  if (parts.scheme == "https" || parts.scheme == "wss") {
    co_return Fail(ErrorCode::kUnsupported, parts.scheme + " is not supported for attaching");
  }
  if ((parts.scheme != "http" && parts.scheme != "ws") || parts.host.empty()) {
    co_return Fail(
        ErrorCode::kInvalidArgument,
        "browser.attach_url: expected http://host:port or ws://host:port/..., got " + url);
  }
  const bool names_endpoint = !parts.path.empty() && parts.path != "/";
  if (parts.scheme == "ws" && names_endpoint) co_return url;
  const std::string asked =
      "http://" + parts.host + (parts.port.empty() ? "" : ":" + parts.port) + "/json/version";
  CO_TRY_ASSIGN(const auto reply,
                co_await net::SendHttp(std::move(ctx), net::HttpCall{.url = asked}));
  co_return ReadVersion(reply, asked);
}

Task<Result<std::unique_ptr<browser::Browser>>> AttachToBrowser(CallContext ctx, std::string url,
                                                                browser::Browser::Limits limits) {
  const CallContext bounded = ctx.WithTimeout(limits.launch_timeout);
  CO_TRY_ASSIGN(auto endpoint, co_await FindDebuggerUrl(bounded, std::move(url)));
  CO_TRY_ASSIGN(auto socket, co_await net::ConnectWebSocket(bounded, std::move(endpoint)));
  auto transport =
      std::make_unique<WebSocketTransport>(ctx.executor(), ctx.clock(), std::move(socket));
  co_return co_await browser::Browser::Attach(bounded, std::move(transport), limits);
}

}  // namespace falconer::app
