#include "api/tools/contract_tools.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "api/tools/artifact_link.h"
#include "api/tools/input_schema.h"
#include "engine/plan_run.h"
#include "model/token_estimate.h"

namespace falconer::api {
namespace {

using enum Need;

// In the order in which they are given up.
constexpr std::string_view kDispensable[] = {"state_delta",     "metadata",      "outcome",
                                             "network_summary", "wait_outcomes", "timings",
                                             "verification",    "attempts"};

// More than the longest that a contract may have.
constexpr auto kContractTime = std::chrono::minutes(11);
constexpr auto kPlanTime = std::chrono::hours(2);

bool Fits(const json::object& result, std::size_t budget) {
  return model::EstimateTokens(json::serialize(result)) <= budget;
}

void Omit(json::object& from, std::string_view member) {
  if (from.erase(member) == 0) return;
  json::value& omitted = from["omitted"];
  if (!omitted.is_array()) omitted.emplace_array();
  omitted.get_array().emplace_back(member);
}

// What has a limit of its own is left out when it is larger.
void OmitLarge(json::object& result, const AnswerBudget& budget) {
  const std::pair<std::string_view, std::size_t> parts[] = {
      {"state_delta", budget.state_delta},
      {"network_summary", budget.network_summary},
      {"metadata", budget.metadata}};
  for (const auto& [member, most] : parts) {
    const json::value* part = result.if_contains(member);
    if (part == nullptr || most == 0) continue;
    if (model::EstimateTokens(json::serialize(*part)) > most) Omit(result, member);
  }
}

struct ContractArguments {
  json::object contract;
  std::string session;
};

// To what it kept, in the session that the contract names: a workflow of the caller's own is the
// session of that name, except that of the main one's, which no address can mean.
std::vector<ResourceLink> LinksIn(const model::ActionExecutionResult& result,
                                  std::string_view session, std::string_view own_workflow) {
  if (own_workflow == kMainSession) return {};
  return ArtifactLinks(own_workflow.empty() ? session : own_workflow, result.artifacts);
}

Task<Result<ToolAnswer>> ExecuteAction(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(auto args, ReadArguments(call, [](JsonReader& in) {
                  return ContractArguments{in.RawObject("contract"), ReadSession(in)};
                }));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  const std::string own_workflow = TextAt(args.contract, "workflow_id");
  context->Complete(args.contract, args.session);
  CO_TRY_ASSIGN(const auto bytes, co_await rooms.runtime->Execute(std::move(ctx), rooms.caller,
                                                                  std::move(args.contract)));
  CO_TRY_ASSIGN(json::object result, ParseJsonObject(*bytes));
  CO_TRY_ASSIGN(auto parsed, model::ActionExecutionResult::FromJson(result));
  context->guard().Clean(result);
  context->guard().Clean(parsed);
  AnswerBudget budget = co_await context->Budget();
  budget.answer -= std::min(budget.answer, kMarkTokens);
  ToolAnswer answer{.text = FittedResult(std::move(result), budget),
                    .is_error = !parsed.success,
                    .page_at = 0,
                    .links = LinksIn(parsed, args.session, own_workflow)};
  if (parsed.failure) answer.failure = FailureOf(*parsed.failure);
  NoteForTrace(answer, parsed);
  co_return answer;
}

struct PlanArguments {
  json::object plan;
  std::string session;
};

// Steps that name no workflow are the session's.
void CompleteSteps(const ToolContext& context, json::object& plan, const std::string& session) {
  json::value* steps = plan.if_contains("steps");
  if (steps == nullptr || !steps->is_array()) return;
  for (json::value& step : steps->get_array()) {
    if (!step.is_object()) continue;
    for (const std::string_view key : {"contract", "compensation"}) {
      json::value* contract = step.get_object().if_contains(key);
      if (contract != nullptr && contract->is_object())
        context.Complete(contract->get_object(), session);
    }
  }
}

std::string NewsText(const engine::PlanNews& news) {
  using enum engine::PlanNewsKind;
  switch (news.kind) {
    case kStepBegan:
      return fmt::format("step {} began", news.step_id.value());
    case kStepEnded:
      return fmt::format("step {} {}", news.step_id.value(),
                         NameIn(engine::kStepStatuses, news.status));
    case kCriteriaJudged:
      return "success criteria judged";
    case kCompensated:
      return fmt::format("step {} compensated", news.step_id.value());
  }
  return "";
}

std::optional<agent::ToolFailure> PlanFailure(const json::object& result) {
  const json::value* failure = result.if_contains("failure");
  if (failure == nullptr || !failure->is_object()) return std::nullopt;
  const json::object& told = failure->get_object();
  const auto code = ErrorCodeNamed(TextAt(told, "code"));
  return FailureOf({.code = code.value_or(ErrorCode::kExecutionError),
                    .message = TextAt(told, "message"),
                    .details = {},
                    .retryable = IsTrueAt(told, "retryable"),
                    .retry_after = std::nullopt});
}

Task<Result<ToolAnswer>> ExecutePlan(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(auto args, ReadArguments(call, [](JsonReader& in) {
                  return PlanArguments{in.RawObject("plan"), ReadSession(in)};
                }));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CompleteSteps(*context, args.plan, args.session);
  CO_TRY_ASSIGN(auto plan, model::TaskPlan::FromJson(args.plan));
  CO_TRY_ASSIGN(auto result, co_await engine::RunPlan(
                                 std::move(ctx), rooms.runtime, rooms.caller, std::move(plan),
                                 [report = std::move(call.report)](const engine::PlanNews& news) {
                                   report(NewsText(news));
                                 }));
  context->guard().Clean(result);
  const bool is_error = !IsTrueAt(result, "success");
  auto failure = is_error ? PlanFailure(result) : std::nullopt;
  co_return ToolAnswer{.text = FittedPlanResult(std::move(result), kAnswerTokens - kMarkTokens),
                       .is_error = is_error,
                       .page_at = 0,
                       .failure = std::move(failure)};
}

}  // namespace

std::string FittedResult(json::object result, const AnswerBudget& budget) {
  OmitLarge(result, budget);
  for (const std::string_view member : kDispensable) {
    if (Fits(result, budget.answer)) break;
    Omit(result, member);
  }
  return CutToBudget(json::serialize(result), budget.answer);
}

std::string FittedPlanResult(json::object result, std::size_t budget) {
  json::value* steps = result.if_contains("steps");
  for (const std::string_view member : kDispensable) {
    if (steps == nullptr || !steps->is_array() || Fits(result, budget)) break;
    for (json::value& step : steps->get_array()) {
      json::value* inner = step.is_object() ? step.get_object().if_contains("result") : nullptr;
      if (inner != nullptr && inner->is_object()) Omit(inner->get_object(), member);
    }
  }
  return CutToBudget(json::serialize(result), budget);
}

std::vector<ToolRow> ContractTools() {
  using enum agent::SideEffect;
  return {
      {{"execute_action", "Execute a contract",
        "Carry out an ActionContract; the same one again is answered, not repeated.",
        kContractGroup, kDestroy,
        InputSchema({{"contract", ObjectSchema("falconer schema contract"), kRequired}})},
       ExecuteAction,
       Acting(std::nullopt, kContractTime)},
      {{"execute_plan", "Execute a plan", "Carry out a TaskPlan: contracts as steps.",
        kContractGroup, kDestroy,
        InputSchema({{"plan", ObjectSchema("falconer schema plan"), kRequired}})},
       ExecutePlan,
       Acting(std::nullopt, kPlanTime),
       TaskUse::kMay},
  };
}

}  // namespace falconer::api
