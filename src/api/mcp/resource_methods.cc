#include "api/mcp/resource_methods.h"

#include <utility>

namespace falconer::api {
namespace {

// Up to 2025-11-25 a resource that is not there has a code of its own.
constexpr int kRpcLegacyNotFound = -32002;

using SourcePtr = std::shared_ptr<ResourceSource>;

RpcFailure ReadFailure(const Error& error, McpEra era, const std::string& uri) {
  RpcFailure failure = RpcFailureOf(error);
  if (error.code() != ErrorCode::kNotFound) return failure;
  if (era == McpEra::kLegacy) failure.code = kRpcLegacyNotFound;
  failure.data["uri"] = std::string_view(uri);
  return failure;
}

Task<RpcAnswer> ListResources(CallContext ctx, SourcePtr source, McpCall call) {
  const json::value* cursor = call.request.params.if_contains("cursor");
  if (cursor != nullptr && !cursor->is_string())
    co_return std::unexpected(MakeRpcFailure(kRpcInvalidParams, "cursor: expected string"));
  const auto page = co_await source->List(std::move(ctx), TextAt(call.request.params, "cursor"));
  if (!page) co_return std::unexpected(RpcFailureOf(page.error()));
  json::array list;
  for (const ResourceInfo& info : page->resources) list.push_back(info.ToJson());
  json::object result{{"resources", std::move(list)}};
  if (!page->next.empty()) result["nextCursor"] = std::string_view(page->next);
  AddCaching(result, call.era, kNoTtl);
  co_return result;
}

RpcAnswer ListTemplates(const ResourceSource& source, const RpcMessage& request, McpEra era) {
  if (request.params.contains("cursor"))
    return std::unexpected(MakeRpcFailure(kRpcInvalidParams, "cursor: unknown"));
  json::array list;
  for (const ResourceTemplate& each : source.Templates()) list.push_back(each.ToJson());
  json::object result{{"resourceTemplates", std::move(list)}};
  AddCaching(result, era, kFixedTtl);
  return result;
}

Task<RpcAnswer> ReadResource(CallContext ctx, SourcePtr source, McpCall call) {
  const std::string uri = TextAt(call.request.params, "uri");
  if (uri.empty())
    co_return std::unexpected(MakeRpcFailure(kRpcInvalidParams, "uri: expected string"));
  const auto reading = co_await source->Read(std::move(ctx), uri);
  if (!reading) co_return std::unexpected(ReadFailure(reading.error(), call.era, uri));
  json::array contents;
  for (const ResourceContent& each : reading->contents) contents.push_back(each.ToJson());
  json::object result{{"contents", std::move(contents)}};
  AddCaching(result, call.era, reading->ttl);
  co_return result;
}

}  // namespace

std::vector<McpMethod> ResourceMethods(const SourcePtr& source) {
  return {{.name = "resources/list",
           .run =
               [source](CallContext ctx, McpCall call) {
                 return ListResources(std::move(ctx), source, std::move(call));
               }},
          {.name = "resources/templates/list",
           .answer = [source](const RpcMessage& request,
                              McpEra era) { return ListTemplates(*source, request, era); }},
          {.name = "resources/read", .run = [source](CallContext ctx, McpCall call) {
             return ReadResource(std::move(ctx), source, std::move(call));
           }}};
}

}  // namespace falconer::api
