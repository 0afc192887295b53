#include "predict/runs/predicted_runs.h"

#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "predict/act/free_way.h"
#include "predict/act/intent_run.h"
#include "predict/act/named_way.h"
#include "predict/act/predicted_run.h"
#include "predict/act/session_page.h"
#include "predict/learn/learnt_view.h"
#include "predict/runs/next_answer.h"

namespace falconer::predict {
namespace {

// Versions that somebody else puts meanwhile.
constexpr int kKeepTries = 3;

Result<std::vector<WorkflowStep>> BoundSteps(const LearnedWorkflow& workflow,
                                             const ParameterValues& values) {
  std::vector<WorkflowStep> bound;
  for (const WorkflowStep& step : workflow.steps) {
    TRY_ASSIGN(WorkflowStep one, Bind(step, values));
    bound.push_back(std::move(one));
  }
  return bound;
}

Result<void> CheckSession(const std::string& session) {
  if (!session.empty() && model::IsCallerId(session)) return {};
  return Fail(ErrorCode::kInvalidArgument,
              "session: " + std::string(session.empty() ? "is missing" : model::kNotACallerId));
}

}  // namespace

Task<Result<PredictedRuns::Way>> PredictedRuns::WayOf(TenantId tenant, std::string workflow,
                                                      ParameterValues* values,
                                                      const LearntNext* learnt) {
  if (workflow.empty()) co_return std::make_unique<FreeWay>(*learnt);
  CO_TRY_ASSIGN(LearnedWorkflow found,
                co_await shelf_.Find(std::move(tenant), std::move(workflow)));
  CO_TRY_ASSIGN(*values, CompleteValues(found, std::move(*values)));
  CO_TRY_ASSIGN(auto bound, BoundSteps(found, *values));
  co_return std::make_unique<NamedWay>(std::move(found), std::move(bound), *learnt);
}

RunLimits PredictedRuns::LimitsOf(const RunWish& wish) const {
  const PredictRules& rules = parts_.rules;
  return {.threshold = ThresholdOf(wish.profile.value_or(rules.profile)),
          .model_below = rules.model_below,
          .max_iterations =
              std::min(wish.max_iterations.value_or(rules.max_iterations), rules.max_iterations),
          .timeout = rules.workflow_timeout,
          .loop_limit = rules.loop_limit,
          .preparing = rules.speculates ? Preparing::kNext : Preparing::kNothing,
          .prepare_from = rules.speculate_from};
}

Task<Result<json::object>> PredictedRuns::Run(CallContext ctx, engine::Caller caller,
                                              RunWish wish) {
  CO_TRY(CheckSession(wish.session));
  CO_TRY(co_await learner_.Ready(ctx, caller.tenant));
  const LearntView learnt(learner_, caller.tenant);
  CO_TRY_ASSIGN(Way way, co_await WayOf(caller.tenant, wish.workflow, &wish.values, &learnt));
  SessionPage page(*runtime_, caller, WorkflowId(wish.session), std::move(wish.renew));
  RunLessons lessons;
  const RunLimits limits = LimitsOf(wish);
  RunOrder order{.run = RunId("predict-" + RandomHex(8)),
                 .session = WorkflowId(wish.session),
                 .workflow = wish.workflow,
                 .values = std::move(wish.values),
                 .mode = wish.dry_run ? RunMode::kDryRun : RunMode::kAct,
                 .limits = limits,
                 .news = std::move(wish.news)};
  if (wish.workflow.empty() && learner_.Now(caller.tenant) != nullptr)
    order.history = learner_.Now(caller.tenant)->History(wish.session);
  PredictedRun run(ctx,
                   {.page = page,
                    .learnt = learnt,
                    .memory = lessons,
                    .numbers = numbers_,
                    .adviser = wish.may_ask_model ? parts_.adviser : nullptr},
                   std::move(order), std::move(way));
  const PredictedReport report = co_await run.Go();
  const auto kept = co_await Keep(caller.tenant, wish.workflow, std::move(lessons));
  if (!kept) LOG(warn, "predict.lesson_lost", {"why", Describe(kept.error())});
  co_return report.ToJson();
}

Task<Result<void>> PredictedRuns::Keep(TenantId tenant, std::string workflow, RunLessons lessons) {
  if (workflow.empty() || lessons.empty()) co_return Result<void>();
  for (int tries = 1;; ++tries) {
    CO_TRY_ASSIGN(LearnedWorkflow now, co_await shelf_.Find(tenant, workflow));
    const auto put = co_await shelf_.Put(tenant, WithLessons(std::move(now), lessons));
    if (put) co_return Result<void>();
    if (put.error().code() != ErrorCode::kAlreadyExists || tries == kKeepTries)
      co_return Fail(put.error());
  }
}

Task<Result<json::object>> PredictedRuns::Next(CallContext ctx, engine::Caller caller,
                                               NextQuestion question) {
  CO_TRY(CheckSession(question.session));
  CO_TRY(co_await learner_.Ready(ctx, caller.tenant));
  const LearntView learnt(learner_, caller.tenant);
  CO_TRY_ASSIGN(Way way,
                co_await WayOf(caller.tenant, question.workflow, &question.values, &learnt));
  SessionPage page(*runtime_, caller, WorkflowId(question.session));
  const TenantModel* model = learner_.Now(caller.tenant);
  NextAsk ask{
      .session = question.session,
      .history = model == nullptr ? std::vector<std::uint64_t>() : model->History(question.session),
      .most = question.most,
      .threshold = ThresholdOf(parts_.rules.profile)};
  co_return co_await AnswerNext(std::move(ctx), &page, &learnt, way.get(), std::move(ask));
}

Task<Result<json::object>> PredictedRuns::DoIntent(CallContext ctx, engine::Caller caller,
                                                   IntentWish wish) {
  CO_TRY(CheckSession(wish.session));
  SessionPage page(*runtime_, caller, WorkflowId(wish.session));
  IntentRun run({.page = page, .cache = intents_, .numbers = numbers_},
                {.tenant = caller.tenant,
                 .session = WorkflowId(wish.session),
                 .run = RunId("intent-" + RandomHex(8)),
                 .instruction = std::move(wish.instruction),
                 .environment = std::move(wish.environment),
                 .mode = wish.dry_run ? RunMode::kDryRun : RunMode::kAct});
  CO_TRY_ASSIGN(const IntentReport report, co_await run.Go(std::move(ctx)));
  co_return report.ToJson();
}

}  // namespace falconer::predict
