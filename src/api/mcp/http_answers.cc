#include "api/mcp/http_answers.h"

#include <algorithm>
#include <utility>

#include "api/mcp/http_headers.h"
#include "api/mcp/revisions.h"

namespace falconer::api {
namespace {

struct StatusRow {
  int failure;
  int status;
};
constexpr StatusRow kStatuses[] = {
    {kRpcMethodNotFound, 404},
    {kRpcInvalidRequest, 400},
    {kRpcMissingCapability, 400},
    {kRpcUnsupportedVersion, 400},
};

}  // namespace

net::HttpResponse MessageResponse(int status, std::string line) {
  return net::TextResponse(status, std::string(kJsonType), std::move(line));
}

net::HttpResponse AnswerResponse(McpEra era, const McpOutgoing& answer) {
  const auto* const row = std::ranges::find(kStatuses, answer.failure, &StatusRow::failure);
  const bool is_named = era == McpEra::kModern && row != std::end(kStatuses);
  return MessageResponse(is_named ? row->status : 200, answer.line);
}

net::HttpResponse RefusedMessage(int status, RpcFailure failure, const json::value& id) {
  failure.id = id;
  return MessageResponse(status, RpcFailureTextWithoutNull(failure));
}

net::HttpResponse RefusedFor(const Error& error, const json::value& id) {
  return RefusedMessage(TraitsOf(error.code()).http_status, RpcFailureOf(error), id);
}

net::HttpResponse RefusedFor(int status, const Error& error) {
  return RefusedMessage(status, RpcFailureOf(error));
}

net::HttpResponse MethodNotAllowed(std::string_view method, std::string allowed) {
  auto response = RefusedFor(405, Error(ErrorCode::kUnsupported,
                                        "method " + std::string(method) + " is not offered here"));
  response.headers.Set("Allow", std::move(allowed));
  return response;
}

net::HttpResponse AcceptedResponse() {
  return {.status = 202};
}

net::HttpResponse EventsResponse(net::BodyStream events) {
  return {.headers = {{"Content-Type", std::string(kStreamType)},
                      {"Cache-Control", "no-cache, no-transform"},
                      {"X-Accel-Buffering", "no"}},
          .stream = std::move(events)};
}

}  // namespace falconer::api
