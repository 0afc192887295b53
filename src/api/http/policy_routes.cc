// The policy in force: what it says, what it would say, and reading it again.

#include <utility>

#include "api/http/problem.h"
#include "api/http/read_words.h"
#include "api/http/routes.h"
#include "base/units.h"
#include "policy/rules/policy_question.h"

namespace falconer::api {
namespace {

constexpr RoleSet kReadingPolicy = {Role::kViewer, Role::kApprover, Role::kOperator};
constexpr RoleSet kOrdering = {Role::kOperator};
constexpr Bounds<std::size_t> kAddresses = {0, 8192};
constexpr Bounds<std::size_t> kShortTexts = {0, 256};
// As far as the clock can tell: into the year 2262.
constexpr Bounds<std::int64_t> kMoments = {
    0, std::chrono::floor<std::chrono::milliseconds>(WallTime::max()).time_since_epoch().count()};

json::value RefusedPolicyJson(const std::optional<kernel::RefusedPolicy>& refused) {
  if (!refused) return nullptr;
  return json::object{{"at", IsoTime(refused->at)}, {"problem", ProblemJson(refused->why)}};
}

json::object PolicyStatusJson(const kernel::PolicyStatus& status) {
  json::object out{{"policy", nullptr}, {"last_refused", RefusedPolicyJson(status.refused)}};
  if (!status.policy) return out;
  const policy::Policy& policy = status.policy->policy;
  out["policy"] = {{"name", policy.document().name},
                   {"version", policy.document().version},
                   {"mode", NameIn(policy::kPolicyModes, policy.document().mode)},
                   {"digest", policy.digest()},
                   {"file", status.file.string()},
                   {"since", IsoTime(status.since)},
                   {"document", policy.document().ToJson()}};
  return out;
}

Task<Result<net::HttpResponse>> GetPolicy(RestContext* context, CallContext, RouteCall) {
  CO_TRY_ASSIGN(const ControlPanel* panel, context->Panel());
  co_return JsonResponse(200, PolicyStatusJson(panel->policies.Status()));
}

Task<Result<net::HttpResponse>> ReloadPolicy(RestContext* context, CallContext, RouteCall) {
  CO_TRY_ASSIGN(const ControlPanel* panel, context->Panel());
  CO_TRY_ASSIGN(const kernel::PolicyStatus status, panel->policies.Reload());
  co_return JsonResponse(200, PolicyStatusJson(status));
}

std::optional<model::ActionType> ReadAction(JsonReader& in) {
  const auto name = in.OptionalString("action");
  if (!name) return std::nullopt;
  const auto action = model::ActionTypeNamed(*name);
  if (!action) in.Reject("action", "there is no action \"" + *name + "\"");
  return action;
}

// The same that `falconer policy explain` is told by its options.
policy::PolicyQuestion ReadPolicyQuestion(JsonReader& in) {
  const policy::RuleSet set =
      in.OptionalEnum("rules", policy::kRuleSets).value_or(policy::RuleSet::kActions);
  model::PolicyFacts facts;
  facts.tenant = in.OptionalString("tenant", kShortTexts).value_or("");
  facts.agent = in.OptionalString("agent", kShortTexts).value_or("");
  facts.agent_tier = in.OptionalString("tier", kShortTexts).value_or("");
  facts.action = ReadAction(in);
  facts.capabilities = ReadCapabilities(in);
  facts.url = in.OptionalString("url", kAddresses).value_or("");
  facts.page_url = in.OptionalString("page", kAddresses).value_or("");
  facts.amount = ReadAmount(in);
  facts.now =
      WallTime(std::chrono::milliseconds(in.OptionalInteger("at_ms", kMoments).value_or(0)));
  const policy::DescribedThing thing{
      .label = in.OptionalString("label", kShortTexts).value_or(""),
      .method = in.OptionalString("method", kShortTexts).value_or("")};
  return policy::QuestionAbout(set, std::move(facts), thing);
}

json::object ExplanationJson(const policy::Explanation& why,
                             const std::optional<policy::Risk>& risk) {
  const policy::PolicyDecision& decision = why.decision;
  json::object out{{"verdict", NameIn(policy::kEffects, decision.would_be)},
                   {"enforced", decision.outcome == decision.would_be},
                   {"reason", decision.reason}};
  json::array matched;
  for (const policy::MatchedRule& rule : decision.matched) matched.emplace_back(rule.name);
  out["matched"] = std::move(matched);
  if (risk) out["risk"] = risk->ToJson();
  for (auto& [key, value] : why.ToJson()) out[key] = value;
  return out;
}

Task<Result<net::HttpResponse>> ExplainPolicy(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(policy::PolicyQuestion question, ReadJson(body, "body", ReadPolicyQuestion));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const ControlPanel* panel, context->Panel());
  const kernel::PolicyStatus status = panel->policies.Status();
  if (!status.policy)
    co_return Fail(ErrorCode::kNotFound, "no policy is in force: policy.file is not set");
  model::PolicyFacts& facts = question.facts;
  if (facts.tenant.empty()) facts.tenant = rooms.caller.tenant.value();
  if (facts.now == WallTime()) facts.now = rooms.runtime->clock().WallNow();
  const auto why = status.policy->policy.Explain(question.set, facts);
  co_return JsonResponse(200, ExplanationJson(why, question.risk));
}

}  // namespace

std::vector<Route> PolicyRoutes(RestContext& context) {
  return {{.method = "GET",
           .pattern = "/v1/policy",
           .tag = "policy",
           .summary = "The policy in force, since when, and the last change that was refused.",
           .roles = kReadingPolicy,
           .handler = Handle<GetPolicy>(context)},
          {.method = "POST",
           .pattern = "/v1/policy/explain",
           .tag = "policy",
           .summary = "What the policy in force says about something, rule by rule.",
           .roles = kReadingPolicy,
           .handler = Handle<ExplainPolicy>(context),
           .body = "PolicyQuestion"},
          {.method = "POST",
           .pattern = "/v1/policy/reload",
           .tag = "policy",
           .summary = "Read the policy's file now; one that is not valid leaves the one in force.",
           .roles = kOrdering,
           .handler = Handle<ReloadPolicy>(context)}};
}

}  // namespace falconer::api
