#pragma once
// PredictedRuns: begins runs by prediction, answers what comes next, and keeps what runs learn:
// healed selectors in their workflows, steps that a model chose. On the runtime's event loop.

#include <memory>

#include "predict/act/intent_cache.h"
#include "predict/act/run_order.h"
#include "predict/act/step_way.h"
#include "predict/learn/learner.h"
#include "predict/predict_desk.h"
#include "predict/runs/run_lessons.h"
#include "predict/workflows/workflow_shelf.h"

namespace falconer::predict {

class PredictedRuns {
 public:
  // All must outlive this.
  PredictedRuns(const PredictParts& parts, Learner& learner, WorkflowShelf& shelf)
      : parts_(parts), learner_(learner), shelf_(shelf), intents_(parts.workflows, parts.clock) {}
  PredictedRuns(const PredictedRuns&) = delete;
  PredictedRuns& operator=(const PredictedRuns&) = delete;

  void Use(engine::Runtime& runtime) { runtime_ = &runtime; }

  // As PredictDesk tells.
  Task<Result<json::object>> Next(CallContext ctx, engine::Caller caller, NextQuestion question);
  Task<Result<json::object>> Run(CallContext ctx, engine::Caller caller, RunWish wish);
  Task<Result<json::object>> DoIntent(CallContext ctx, engine::Caller caller, IntentWish wish);

  ActNumbers& numbers() { return numbers_; }

 private:
  using Way = std::unique_ptr<StepWay>;

  // Through the workflow, or by what was learnt alone. kNotFound, kInvalidArgument.
  Task<Result<Way>> WayOf(TenantId tenant, std::string workflow, ParameterValues* values,
                          const LearntNext* learnt);
  RunLimits LimitsOf(const RunWish& wish) const;
  // Fails as the store does; somebody else's newer version is what it is put into.
  Task<Result<void>> Keep(TenantId tenant, std::string workflow, RunLessons lessons);

  const PredictParts& parts_;
  Learner& learner_;
  WorkflowShelf& shelf_;
  IntentCache intents_;
  engine::Runtime* runtime_ = nullptr;
  ActNumbers numbers_;
};

}  // namespace falconer::predict
