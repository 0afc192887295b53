#pragma once
// JSON-RPC 2.0 as MCP uses it: one object per message, no batches.

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json/json.h"

namespace falconer::api {

inline constexpr int kRpcParseError = -32700;
inline constexpr int kRpcInvalidRequest = -32600;
inline constexpr int kRpcMethodNotFound = -32601;
inline constexpr int kRpcInvalidParams = -32602;
inline constexpr int kRpcInternalError = -32603;

struct RpcFailure {
  int code = kRpcInternalError;
  std::string message;
  json::object data;  // left out when empty
  json::value id;     // of the request, as far as it could be read; null otherwise

  // Without the id, as it stands in an answer.
  json::object ToJson() const;
};
// What a request comes to.
using RpcAnswer = std::expected<json::object, RpcFailure>;

RpcFailure MakeRpcFailure(int code, std::string message, json::object data = {});
// An error of ours; `data.code` names it.
RpcFailure RpcFailureOf(const Error& error);

enum class RpcKind { kRequest, kNotification, kResponse };

struct RpcMessage {
  RpcKind kind = RpcKind::kRequest;
  json::value id;  // a string or a number; null for a notification
  std::string method;
  json::object params;
  // Of a response: what it brings, or why it does not.
  json::object result = {};
  std::optional<RpcFailure> failure = std::nullopt;

  // params._meta, or an empty object.
  const json::object& meta() const;
};

std::expected<RpcMessage, RpcFailure> ParseRpc(std::string_view text);

// One line each, without the line feed.
std::string RpcResultText(const json::value& id, json::object result);
std::string RpcFailureText(const RpcFailure& failure);
// The same, without an id where none could be read: transports that say by themselves what is
// answered leave it out.
std::string RpcFailureTextWithoutNull(const RpcFailure& failure);
std::string RpcRequestText(std::string_view id, std::string_view method, json::object params);
std::string RpcNotificationText(std::string_view method, json::object params);

}  // namespace falconer::api
