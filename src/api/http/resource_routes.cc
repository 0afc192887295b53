// Where clients learn who has tokens for this server: RFC 9728.

#include "api/http/problem.h"
#include "api/http/protected_resource.h"
#include "api/http/routes.h"

namespace falconer::api {
namespace {

Result<net::HttpResponse> MetadataOf(const RestContext& context, const RouteCall& call,
                                     std::string_view path) {
  if (context.resource.is_told())
    return JsonResponse(200, context.resource.Metadata(call.request, path));
  return Fail(ErrorCode::kNotFound, "no authorization server is named (serve.auth_issuer)");
}

Task<Result<net::HttpResponse>> GetServerMetadata(RestContext* context, CallContext,
                                                  RouteCall call) {
  co_return MetadataOf(*context, call, "");
}

Task<Result<net::HttpResponse>> GetMcpMetadata(RestContext* context, CallContext, RouteCall call) {
  co_return MetadataOf(*context, call, ProtectedResource::kMcpPath);
}

}  // namespace

std::vector<Route> ResourceRoutes(RestContext& context) {
  return {{.method = "GET",
           .pattern = ProtectedResource::kWellKnown,
           .tag = "server",
           .summary = "Which authorization server has tokens for this one (RFC 9728).",
           .roles = kEveryRole,
           .handler = Handle<GetServerMetadata>(context),
           .door = Door::kOpen},
          {.method = "GET",
           .pattern = "/.well-known/oauth-protected-resource/mcp",
           .tag = "server",
           .summary = "The same for /mcp.",
           .roles = kEveryRole,
           .handler = Handle<GetMcpMetadata>(context),
           .door = Door::kOpen}};
}

}  // namespace falconer::api
