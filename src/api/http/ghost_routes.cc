// Pages that are read from their pictures where their markup gives nothing.

#include <utility>

#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/tools/ghost_call.h"
#include "model/url.h"

namespace falconer::api {
namespace {

constexpr RoleSet kGhostRoles = {Role::kAgent, Role::kOperator};
constexpr Bounds<std::int64_t> kGhostSeconds = {5, 300};
constexpr Bounds<std::int64_t> kGhostChars = {1, 1'000'000};
constexpr Bounds<std::size_t> kGhostPromptSizes = {0, 2000};
constexpr Bounds<std::size_t> kGhostSessions = {1, 256};

constexpr EnumName<agent::GhostTrigger> kGhostTriggers[] = {
    {agent::GhostTrigger::kAlways, "always"},
    {agent::GhostTrigger::kWhenBlocked, "when_blocked"},
};

struct GhostBody {
  agent::GhostWish wish;
  bool has_words = false;
};

void CheckGhostPlace(JsonReader& in, const agent::GhostWish& wish) {
  if (in.failed()) return;
  if (wish.url.empty()) {
    if (wish.session.empty()) in.Reject("url", "is required without a session");
    return;
  }
  const auto checked = model::CheckWebUrl(wish.url);
  if (!checked) in.Reject("url", checked.error().message());
}

// Who asks for pictures by this route allows them, if he does not say otherwise.
GhostBody ReadGhostBody(JsonReader& in) {
  GhostBody body;
  agent::GhostWish& wish = body.wish;
  wish.url = in.OptionalString("url", {1, model::kMaxUrlLength}).value_or("");
  wish.session = in.OptionalString("session", kGhostSessions).value_or("");
  wish.prompt = in.OptionalString("prompt", kGhostPromptSizes).value_or("");
  wish.viewport_only = in.OptionalBool("viewport_only").value_or(false);
  wish.allow_ghost = in.OptionalBool("allow_ghost").value_or(true);
  wish.trigger = in.OptionalEnum("trigger", kGhostTriggers).value_or(agent::GhostTrigger::kAlways);
  wish.method = in.OptionalEnum("method", agent::kGhostMethods).value_or(wish.method);
  if (const auto seconds = in.OptionalInteger("timeout", kGhostSeconds))
    wish.timeout = std::chrono::seconds(*seconds);
  wish.max_chars = in.OptionalInteger("max_chars", kGhostChars).value_or(wish.max_chars);
  body.has_words = in.OptionalBool("words").value_or(false);
  CheckGhostPlace(in, wish);
  return body;
}

Task<Result<net::HttpResponse>> PostGhost(RestContext* context, CallContext ctx, RouteCall call) {
  CO_TRY_ASSIGN(const auto json, call.Body());
  CO_TRY_ASSIGN(GhostBody body, ReadJson(json, "body", ReadGhostBody));
  CO_TRY(context->Rooms());
  CO_TRY_ASSIGN(const agent::GhostReader reader,
                MakeGhostReader([context] { return context->Rooms(); }, context->guard));
  CO_TRY_ASSIGN(const agent::GhostResult result,
                co_await reader.Extract(std::move(ctx), std::move(body.wish)));
  json::object out = result.ToJson();
  if (body.has_words) {
    json::array& words = out["words"].emplace_array();
    for (const agent::OcrWord& word : result.words) words.push_back(agent::ToJson(word));
  }
  co_return JsonResponse(200, out);
}

}  // namespace

std::vector<Route> GhostRoutes(RestContext& context) {
  return {{.method = "POST",
           .pattern = "/api/agent/ghost",
           .tag = "agent",
           .summary = "Read a page from its picture.",
           .roles = kGhostRoles,
           .handler = Handle<PostGhost>(context),
           .body = "Ghost"}};
}

}  // namespace falconer::api
