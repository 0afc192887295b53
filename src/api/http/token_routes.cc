// Tokens: issuing, checking, revoking and listing them. Orders are on record as those of the
// commands are.

#include <utility>

#include "api/http/problem.h"
#include "api/http/read_words.h"
#include "api/http/routes.h"
#include "policy/tokens/token_fault.h"

namespace falconer::api {
namespace {

constexpr RoleSet kReadingTokens = {Role::kViewer, Role::kOperator};
constexpr RoleSet kGranting = {Role::kOperator};
constexpr Bounds<std::size_t> kNames = {1, policy::kMaxClaimText};
constexpr Bounds<std::size_t> kMaybeNames = {0, policy::kMaxClaimText};
constexpr Bounds<std::size_t> kTokenBytes = {1, 64 * 1024};
constexpr Bounds<std::size_t> kUrlCounts = {0, 16};
constexpr Bounds<std::int64_t> kLifetimes = {1, 86'400};
constexpr Bounds<std::int64_t> kTokenPages = {1, 1000};
constexpr std::int64_t kUsualTokenPage = 50;

policy::TokenConstraints ReadConstraints(JsonReader& in) {
  const auto given = in.OptionalRawObject("constraints");
  if (!given) return {};
  auto constraints = policy::ParseTokenConstraints(*given);
  if (constraints) return *std::move(constraints);
  in.Reject(Error(constraints.error()).In(in.path()));
  return {};
}

policy::TokenRequest ReadTokenRequest(JsonReader& in) {
  policy::TokenRequest request{.agent = AgentId(in.String("agent", kNames)),
                               .tenant = {},
                               .plan = PlanId(in.OptionalString("plan", kMaybeNames).value_or("")),
                               .capabilities = ReadCapabilities(in),
                               .constraints = ReadConstraints(in),
                               .lifetime = std::nullopt};
  if (request.capabilities.empty()) in.Reject("capabilities", "name at least one");
  if (const auto seconds = in.OptionalInteger("lifetime_s", kLifetimes))
    request.lifetime = std::chrono::seconds(*seconds);
  request.proof = in.OptionalEnum("auth", policy::kTokenProofs).value_or(policy::TokenProof::kNone);
  request.tier = in.OptionalString("tier", kMaybeNames).value_or("");
  return request;
}

Task<Result<net::HttpResponse>> IssueToken(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(policy::TokenRequest request, ReadJson(body, "body", ReadTokenRequest));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const ControlPanel* panel, context->Panel());
  request.tenant = rooms.caller.tenant;
  CO_TRY_ASSIGN(const policy::MadeToken made, co_await panel->tokens.Issue(std::move(request)));
  co_return JsonResponse(201, kernel::ToJson(made));
}

struct TokenCheck {
  std::string token;
  policy::TokenDemand demand;
};

TokenCheck ReadTokenCheck(JsonReader& in) {
  return {.token = in.String("token", kTokenBytes),
          .demand = {
              .capabilities = ReadCapabilities(in),
              .urls = in.OptionalStrings("urls", kUrlCounts).value_or(std::vector<std::string>()),
              .amount = ReadAmount(in)}};
}

// That a token is not valid is what was asked, and no failure of the request.
Task<Result<net::HttpResponse>> VerifyToken(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(TokenCheck check, ReadJson(body, "body", ReadTokenCheck));
  CO_TRY_ASSIGN(const ControlPanel* panel, context->Panel());
  const auto verified =
      co_await panel->tokens.Verify(std::move(check.token), std::move(check.demand));
  json::object answer{{"valid", verified.has_value()}};
  if (verified) {
    for (auto& [key, value] : kernel::ToJson(*verified)) answer[key] = value;
  } else if (verified.error().details().contains(policy::kTokenReasonDetail)) {
    answer["problem"] = ProblemJson(verified.error());
  } else {
    // Not about the token: nobody knows.
    co_return Fail(verified.error());
  }
  co_return JsonResponse(200, answer);
}

// A body that says nothing may be left out.
Result<json::value> BodyOrNothing(const RouteCall& call) {
  if (call.request.body.empty()) return json::value(json::object());
  return call.Body();
}

Task<Result<net::HttpResponse>> RevokeToken(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, BodyOrNothing(call));
  CO_TRY_ASSIGN(std::string reason, ReadJson(body, "body", ReadReason));
  CO_TRY_ASSIGN(const ControlPanel* panel, context->Panel());
  const std::string& id = call.At("jti");
  CO_TRY_ASSIGN(const bool was_issued, co_await panel->tokens.Revoke({id, std::move(reason)}));
  co_return JsonResponse(200, json::object{{"jti", id}, {"issued_here", was_issued}});
}

Task<Result<net::HttpResponse>> RevokeUntilNow(RestContext* context, model::TokenCutoff cutoff) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const ControlPanel* panel, context->Panel());
  cutoff.tenant = rooms.caller.tenant;
  CO_TRY_ASSIGN(const std::uint64_t count,
                co_await panel->tokens.RevokeUntilNow(std::move(cutoff)));
  co_return JsonResponse(200, json::object{{"revoked", count}});
}

Task<Result<net::HttpResponse>> RevokeAgent(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(model::TokenCutoff cutoff, ReadJson(body, "body", [](JsonReader& in) {
                  return model::TokenCutoff{.tenant = {},
                                            .agent = AgentId(in.String("agent", kNames)),
                                            .reason = ReadReason(in)};
                }));
  co_return co_await RevokeUntilNow(context, std::move(cutoff));
}

Task<Result<net::HttpResponse>> RevokeAll(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, BodyOrNothing(call));
  CO_TRY_ASSIGN(std::string reason, ReadJson(body, "body", ReadReason));
  co_return co_await RevokeUntilNow(context,
                                    {.tenant = {}, .agent = {}, .reason = std::move(reason)});
}

model::TokenFilter ReadTokenFilter(JsonReader& in) {
  return {.tenant = {},
          .agent = AgentId(in.OptionalString("agent").value_or("")),
          .limit = static_cast<std::uint64_t>(
              in.OptionalInteger("limit", kTokenPages).value_or(kUsualTokenPage))};
}

Task<Result<net::HttpResponse>> ListTokens(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(model::TokenFilter filter, ReadJson(call.query, "query", ReadTokenFilter));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const ControlPanel* panel, context->Panel());
  filter.tenant = rooms.caller.tenant;
  CO_TRY_ASSIGN(const auto rows, co_await panel->tokens.List(std::move(filter)));
  json::array list;
  for (const model::ListedToken& row : rows)
    list.push_back(kernel::ToJson(row, panel->tokens.clock().WallNow()));
  co_return JsonResponse(200, json::object{{"tokens", std::move(list)}});
}

}  // namespace

std::vector<Route> TokenRoutes(RestContext& context) {
  return {{.method = "GET",
           .pattern = "/v1/tokens",
           .tag = "tokens",
           .summary = "Tokens that were issued here, newest first, without the tokens themselves.",
           .roles = kReadingTokens,
           .handler = Handle<ListTokens>(context),
           .query = {{"agent", "string", "of this agent"},
                     {"limit", "integer", "at most so many, 1 to 1000 (50)"}}},
          {.method = "POST",
           .pattern = "/v1/tokens",
           .tag = "tokens",
           .summary = "Issue a token; it is told only this once.",
           .roles = kGranting,
           .handler = Handle<IssueToken>(context),
           .body = "TokenRequest"},
          {.method = "POST",
           .pattern = "/v1/tokens/verify",
           .tag = "tokens",
           .summary = "Whether a token is in force and allows what is named; uses nothing up.",
           .roles = kReadingTokens,
           .handler = Handle<VerifyToken>(context),
           .body = "TokenCheck"},
          {.method = "POST",
           .pattern = "/v1/tokens/{jti}/revoke",
           .tag = "tokens",
           .summary = "Revoke one token, by its id.",
           .roles = kGranting,
           .handler = Handle<RevokeToken>(context),
           .body = "Reason",
           .is_body_optional = true},
          {.method = "POST",
           .pattern = "/v1/tokens/revoke-agent",
           .tag = "tokens",
           .summary = "Revoke everything that was issued to an agent until now.",
           .roles = kGranting,
           .handler = Handle<RevokeAgent>(context),
           .body = "AgentRevocation"},
          {.method = "POST",
           .pattern = "/v1/tokens/revoke-all",
           .tag = "tokens",
           .summary = "Revoke everything that was issued until now.",
           .roles = kGranting,
           .handler = Handle<RevokeAll>(context),
           .body = "Reason",
           .is_body_optional = true}};
}

}  // namespace falconer::api
