#pragma once
// McpCall: one request of a client, and the ways back to it while the request is worked on.
// McpMethod: how requests of one name are answered.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "api/mcp/client_input.h"
#include "api/mcp/log_level.h"
#include "api/mcp/revisions.h"

namespace falconer::api {

// Tells a client who asked for it what goes on; does nothing otherwise.
using ReportProgress = std::function<void(std::string message)>;
using SendLog = std::function<void(LogLevel level, json::value data)>;

struct McpCall {
  RpcMessage request;
  McpEra era = McpEra::kLegacy;
  // Whether its revision has links to resources in answers.
  bool knows_links = true;
  // Whether its client can look after calls that go on.
  bool knows_tasks = false;
  ReportProgress report;
  SendLog log;
  ClientInput input = {};
  // Something for the client that belongs to the request. Not after its answer.
  std::function<void(std::string_view method, json::object params)> notify;
};

struct McpMethod {
  std::string_view name;
  // The era that knows it; absent for both.
  std::optional<McpEra> only = std::nullopt;
  // One of both. Answers at once:
  std::function<RpcAnswer(const RpcMessage& request, McpEra era)> answer = nullptr;
  // Works on it until it is done, or ctx ends. Whatever it uses it keeps: the server may go
  // meanwhile.
  std::function<Task<RpcAnswer>(CallContext ctx, McpCall call)> run = nullptr;
};

}  // namespace falconer::api
