#include "api/http/job_types.h"

#include <utility>

#include "agent/loop/run_desk.h"
#include "api/http/predicted_run.h"

namespace falconer::api {
namespace {

constexpr std::string_view kRunPart = "run";
constexpr std::string_view kRunIdKey = "run_id";

// Which run it is lasts before the run begins: a job that is done once more carries on with the
// same run, and never begins a second one.
Task<Result<json::object>> CarryTask(RestContext* context, CallContext ctx, agent::JobInput input,
                                     agent::JobNews news) {
  const auto known = input.parts->known().find(std::string(kRunPart));
  const bool is_known = known != input.parts->known().end();
  RunId run = is_known ? RunId(TextAt(known->second, kRunIdKey)) : agent::RunDesk::NewId();
  if (!is_known)
    CO_TRY(co_await input.parts->Keep(ctx, std::string(kRunPart), {{kRunIdKey, run.value()}}));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  co_return co_await context->runs->CarryOn(std::move(ctx), rooms.caller, std::move(run),
                                            std::move(input.input), std::move(news));
}

agent::JobType TaskJobType(RestContext& context) {
  const agent::JobHandler carry = [context = &context](CallContext ctx, agent::JobInput input,
                                                       agent::JobNews news) {
    return CarryTask(context, std::move(ctx), std::move(input), std::move(news));
  };
  const auto check = [runs = context.runs](const json::object& input) {
    return runs->CheckWish(input);
  };
  return {.name = "agent_run", .check = check, .run = carry, .resume = carry};
}

}  // namespace

void OfferJobTypes(RestContext& context) {
  for (agent::JobType& type : CrawlJobTypes(context)) context.jobs.Offer(std::move(type));
  // They begin at once, and only here: whatever is left of one has an unknown outcome.
  context.jobs.Offer({.name = "action"});
  context.jobs.Offer({.name = "plan"});
  context.jobs.Offer({.name = std::string(kWorkflowRunJob)});
  if (context.runs != nullptr && context.runs->is_on()) context.jobs.Offer(TaskJobType(context));
}

}  // namespace falconer::api
