#include "api/mcp/json_rpc.h"

#include <utility>

#include "api/mcp/rpc_id.h"

namespace falconer::api {
namespace {

std::unexpected<RpcFailure> Refuse(int code, std::string message, json::value id = nullptr) {
  return std::unexpected(
      RpcFailure{.code = code, .message = std::move(message), .data = {}, .id = std::move(id)});
}

// The id of a message that is wrong otherwise: its sender waits for it.
json::value IdOf(const json::object& object) {
  const json::value* id = object.if_contains("id");
  return id != nullptr && IsRpcId(*id) ? *id : json::value();
}

std::expected<RpcMessage, RpcFailure> ReadCall(json::object& object) {
  const json::value id = IdOf(object);
  const json::value* method = object.if_contains("method");
  if (!method->is_string()) return Refuse(kRpcInvalidRequest, "method: expected string", id);
  if (object.contains("id") && id.is_null())
    return Refuse(kRpcInvalidRequest, "id: expected string or integer");
  RpcMessage message{.kind = id.is_null() ? RpcKind::kNotification : RpcKind::kRequest,
                     .id = id,
                     .method = std::string(method->get_string()),
                     .params = {}};
  json::value* params = object.if_contains("params");
  if (params == nullptr) return message;
  if (!params->is_object()) return Refuse(kRpcInvalidParams, "params: expected object", id);
  message.params = std::move(params->get_object());
  return message;
}

// An answer to a request of ours. One that makes no sense is one that failed.
RpcMessage ReadResponse(json::object& object) {
  RpcMessage message{.kind = RpcKind::kResponse, .id = IdOf(object), .method = {}, .params = {}};
  json::value* result = object.if_contains("result");
  if (result != nullptr && result->is_object()) {
    message.result = std::move(result->get_object());
    return message;
  }
  const json::value* error = object.if_contains("error");
  const bool says_why = error != nullptr && error->is_object();
  message.failure = RpcFailure{.message = says_why ? TextAt(error->get_object(), "message") : "",
                               .data = {},
                               .id = message.id};
  return message;
}

json::object FailureObject(const RpcFailure& failure) {
  return {{"jsonrpc", "2.0"}, {"id", failure.id}, {"error", failure.ToJson()}};
}

}  // namespace

json::object RpcFailure::ToJson() const {
  json::object error{{"code", code}, {"message", std::string_view(message)}};
  if (!data.empty()) error["data"] = data;
  return error;
}

RpcFailure MakeRpcFailure(int code, std::string message, json::object data) {
  return {.code = code, .message = std::move(message), .data = std::move(data), .id = nullptr};
}

RpcFailure RpcFailureOf(const Error& error) {
  return MakeRpcFailure(TraitsOf(error.code()).json_rpc_code, error.message(),
                        {{"code", error.name()}, {"retryable", error.is_retryable()}});
}

const json::object& RpcMessage::meta() const {
  static const json::object none;
  const json::value* found = params.if_contains("_meta");
  return found != nullptr && found->is_object() ? found->get_object() : none;
}

std::expected<RpcMessage, RpcFailure> ParseRpc(std::string_view text) {
  Result<json::value> parsed = ParseJson(text);
  if (!parsed) return Refuse(kRpcParseError, parsed.error().message(), RpcIdIn(text));
  if (!parsed->is_object())
    return Refuse(kRpcInvalidRequest, "expected one JSON object per message");
  json::object& object = parsed->get_object();
  if (TextAt(object, "jsonrpc") != "2.0")
    return Refuse(kRpcInvalidRequest, "jsonrpc: must be \"2.0\"", IdOf(object));
  if (object.contains("method")) return ReadCall(object);
  if (object.contains("result") || object.contains("error")) return ReadResponse(object);
  return Refuse(kRpcInvalidRequest, "method: missing", IdOf(object));
}

std::string RpcResultText(const json::value& id, json::object result) {
  return json::serialize(
      json::object{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

std::string RpcFailureText(const RpcFailure& failure) {
  return json::serialize(FailureObject(failure));
}

std::string RpcFailureTextWithoutNull(const RpcFailure& failure) {
  json::object object = FailureObject(failure);
  if (failure.id.is_null()) object.erase("id");
  return json::serialize(object);
}

std::string RpcRequestText(std::string_view id, std::string_view method, json::object params) {
  return json::serialize(json::object{
      {"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
}

std::string RpcNotificationText(std::string_view method, json::object params) {
  return json::serialize(
      json::object{{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

}  // namespace falconer::api
