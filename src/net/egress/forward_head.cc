#include "net/egress/forward_head.h"

#include <algorithm>
#include <array>
#include <vector>

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/rfc7230.hpp>

namespace falconer::net {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

// Meant for the next hop only (RFC 9110, 7.6.1), or written anew below.
constexpr std::array kNotPassedOn = {
    http::field::connection,
    http::field::proxy_connection,
    http::field::keep_alive,
    http::field::proxy_authenticate,
    http::field::proxy_authorization,
    http::field::te,
    http::field::trailer,
    http::field::transfer_encoding,
    http::field::upgrade,
    http::field::host,
    http::field::content_length,
    http::field::proxy_authentication_info,
};

constexpr std::string_view kOwnFields = "x-falconer-";

bool IsOwn(std::string_view name) {
  return name.size() >= kOwnFields.size() &&
         beast::iequals(name.substr(0, kOwnFields.size()), kOwnFields);
}

// The names that Connection fields mark as meant for the next hop.
std::vector<std::string_view> MarkedNames(const http::fields& fields) {
  std::vector<std::string_view> names;
  const auto [first, last] = fields.equal_range(http::field::connection);
  for (auto at = first; at != last; ++at) {
    for (const auto token : http::token_list(at->value())) names.push_back(token);
  }
  return names;
}

void AddField(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

void AddFields(std::string& out, const http::fields& fields) {
  const std::vector<std::string_view> marked = MarkedNames(fields);
  for (const auto& field : fields) {
    if (std::ranges::find(kNotPassedOn, field.name()) != kNotPassedOn.end()) continue;
    const std::string_view name = field.name_string();
    const auto is_same = [&](std::string_view other) { return beast::iequals(name, other); };
    if (std::ranges::any_of(marked, is_same) || IsOwn(name)) continue;
    AddField(out, name, field.value());
  }
}

void AddFraming(std::string& out, const http::fields& fields, Framing framing) {
  switch (framing.kind) {
    case Framing::Kind::kLength:
      return AddField(out, "Content-Length", std::to_string(framing.length));
    case Framing::Kind::kChunked:
      return AddField(out, "Transfer-Encoding", "chunked");
    case Framing::Kind::kAsSaid:
      if (const auto at = fields.find(http::field::content_length); at != fields.end()) {
        AddField(out, "Content-Length", at->value());
      }
      return;
    case Framing::Kind::kNone:
    case Framing::Kind::kToEnd:
      return;
  }
}

void AddUpgrade(std::string& out) {
  out += "Connection: Upgrade\r\nUpgrade: websocket\r\n";
}

}  // namespace

std::string UpstreamHead(const RequestHeader& head, const EgressTarget& target, Framing framing,
                         Upgrade upgrade) {
  std::string out;
  out.reserve(1024);
  out.append(head.method_string()).append(" ").append(target.path).append(" HTTP/1.1\r\n");
  AddField(out, "Host", target.authority);
  AddFields(out, head);
  AddFraming(out, head, framing);
  if (upgrade == Upgrade::kWebSocket) AddUpgrade(out);
  out += "\r\n";
  return out;
}

std::string ClientHead(const ResponseHeader& head, Framing framing, Upgrade upgrade,
                       ClientConnection connection) {
  std::string out;
  out.reserve(1024);
  out.append("HTTP/1.1 ").append(std::to_string(head.result_int())).append(" ");
  out.append(head.reason()).append("\r\n");
  AddFields(out, head);
  AddFraming(out, head, framing);
  if (upgrade == Upgrade::kWebSocket) {
    AddUpgrade(out);
  } else if (connection == ClientConnection::kClose) {
    out += "Connection: close\r\n";
  }
  out += "\r\n";
  return out;
}

bool ListsToken(const http::fields& fields, http::field name, std::string_view token) {
  const auto [first, last] = fields.equal_range(name);
  return std::any_of(first, last, [&](const auto& field) {
    return http::token_list(field.value()).exists(token);
  });
}

}  // namespace falconer::net
