#include "api/mcp/tool_methods.h"

#include <memory>
#include <utility>

#include "api/mcp/caching.h"

namespace falconer::api {
namespace {

using CatalogPtr = std::shared_ptr<const ToolCatalog>;

std::unexpected<RpcFailure> BadToolCall(std::string message) {
  return std::unexpected(MakeRpcFailure(kRpcInvalidParams, std::move(message)));
}

// All at once: the list is short, and a cursor of ours does not exist.
RpcAnswer ListTools(const ToolCatalog& tools, const RpcMessage& request, McpEra era) {
  if (request.params.contains("cursor")) return BadToolCall("cursor: unknown");
  json::object result{{"tools", tools.ToJson()}};
  AddCaching(result, era, kFixedTtl);
  return result;
}

// Empty for a call that has to be answered when it is done.
std::shared_ptr<TaskBook> BookFor(const std::shared_ptr<TaskBook>& book, const Tool& tool,
                                  const McpCall& call) {
  return call.knows_tasks && tool.tasks != TaskUse::kNever ? book : nullptr;
}

// Takes what the tool needs out of the call.
ToolCall ToolCallFrom(McpCall& call) {
  const json::value* arguments = call.request.params.if_contains("arguments");
  return {.arguments = arguments == nullptr ? json::object() : arguments->get_object(),
          .report = std::move(call.report),
          .input = std::move(call.input),
          .log = std::move(call.log)};
}

Task<ToolAnswer> AnswerOf(CallContext ctx, CatalogPtr tools, const Tool* tool, ToolCall call) {
  CalledTool called = co_await tools->Call(std::move(ctx), tool, std::move(call));
  co_return std::move(called.answer);
}

Task<RpcAnswer> CallTool(CallContext ctx, CatalogPtr tools, std::shared_ptr<TaskBook> book,
                         McpCall call) {
  const RpcMessage& request = call.request;
  const std::string name = TextAt(request.params, "name");
  const Tool* tool = tools->Find(name);
  if (tool == nullptr) {
    co_return BadToolCall("unknown tool \"" + name +
                          "\"; tools/list names those that are offered, and a server started "
                          "with --tools all offers more");
  }
  const json::value* arguments = request.params.if_contains("arguments");
  if (arguments != nullptr && !arguments->is_object())
    co_return BadToolCall("arguments: expected object");
  if (tool->tasks == TaskUse::kMust && !call.knows_tasks)
    co_return std::unexpected(MissingCapability(NeedsTasks()));
  auto kept_by = BookFor(book, *tool, call);
  ToolCall made = ToolCallFrom(call);
  if (kept_by) {
    const auto run = [tools, tool](CallContext one, ToolCall again) {
      return AnswerOf(std::move(one), tools, tool, std::move(again));
    };
    co_return co_await TaskBook::Carry(std::move(ctx), std::move(kept_by), run, std::move(made));
  }
  ToolAnswer answer = co_await AnswerOf(std::move(ctx), tools, tool, std::move(made));
  if (answer.refusal) co_return std::unexpected(*std::move(answer.refusal));
  if (!call.knows_links) answer.links.clear();
  co_return answer.ToJson();
}

}  // namespace

std::vector<McpMethod> ToolMethods(const CatalogPtr& tools, const std::shared_ptr<TaskBook>& book) {
  std::vector<McpMethod> methods;
  if (book) methods = book->Methods();
  methods.push_back(
      {.name = "tools/list", .answer = [tools](const RpcMessage& request, McpEra era) {
         return ListTools(*tools, request, era);
       }});
  methods.push_back({.name = "tools/call", .run = [tools, book](CallContext ctx, McpCall call) {
                       return CallTool(std::move(ctx), tools, book, std::move(call));
                     }});
  return methods;
}

}  // namespace falconer::api
