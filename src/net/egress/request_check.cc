#include "net/egress/request_check.h"

#include <algorithm>
#include <utility>

#include <boost/beast/core/string.hpp>

#include "base/text.h"
#include "net/http_message.h"

namespace falconer::net {

namespace beast = boost::beast;
namespace http = boost::beast::http;

namespace {

bool IsWebSocketRequest(const RequestHeader& head) {
  return head.method() == http::verb::get && head.version() == kHttp11 &&
         ListsToken(head, http::field::upgrade, "websocket") &&
         ListsToken(head, http::field::connection, "upgrade");
}

bool IsNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, IsDigit);
}

}  // namespace

bool IsRepeatable(const RequestHeader& head) {
  return head.method() == http::verb::get || head.method() == http::verb::head ||
         head.method() == http::verb::options;
}

std::expected<void, EgressRefusal> CheckFraming(const RequestHeader& head) {
  const auto codings = head.count(http::field::transfer_encoding);
  const auto lengths = head.count(http::field::content_length);
  if (codings > 1 || lengths > 1 || (codings > 0 && lengths > 0)) {
    return Refuse(400, "ambiguous_body_length");
  }
  // The library takes "3, 3" for 3.
  if (lengths == 1 && !IsNumber(head[http::field::content_length])) {
    return Refuse(400, "ambiguous_body_length");
  }
  if (codings == 1) {
    if (head.version() < kHttp11) return Refuse(400, "ambiguous_body_length");
    if (!beast::iequals(head[http::field::transfer_encoding], "chunked")) {
      return Refuse(501, "transfer_coding_not_supported");
    }
  }
  if (head.version() >= kHttp11 && head.count(http::field::host) != 1) {
    return Refuse(400, "one_host_header_needed");
  }
  if (const auto expect = head[http::field::expect];
      !expect.empty() && !beast::iequals(expect, "100-continue")) {
    return Refuse(417, "expectation_not_supported");
  }
  if (head.method() == http::verb::connect && codings + lengths > 0) {
    return Refuse(400, "tunnel_with_body");
  }
  return {};
}

std::expected<EgressTarget, EgressRefusal> TargetOf(const RequestHeader& head) {
  const bool is_tunnel = head.method() == http::verb::connect;
  auto target = is_tunnel ? ParseTunnelTarget(head.target()) : ParseAbsoluteTarget(head.target());
  if (!target) {
    const bool is_scheme = target.error().code() == ErrorCode::kUnsupported;
    return Refuse(is_scheme ? 403 : 400, is_scheme ? "scheme_not_allowed" : "invalid_target");
  }
  if (IsBadPort(target->port)) return Refuse(403, "port_not_allowed");
  return *std::move(target);
}

EgressKind KindOf(const RequestHeader& head) {
  if (head.method() == http::verb::connect) return EgressKind::kConnect;
  return IsWebSocketRequest(head) ? EgressKind::kWebSocket : EgressKind::kHttp;
}

}  // namespace falconer::net
