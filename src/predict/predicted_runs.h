#pragma once
// PredictedRuns: begins runs by prediction, answers what comes next, and carries out instructions;
// and keeps what runs learn: healed selectors in their workflows, steps that a model chose. On the
// runtime's event loop.

#include <set>

#include "predict/act/act_numbers.h"
#include "predict/act/learnt_next.h"
#include "predict/learn/learner.h"
#include "predict/predict_desk.h"
#include "predict/workflows/workflow_shelf.h"

namespace falconer::predict {

class PredictedRuns {
 public:
  // All must outlive this.
  PredictedRuns(const PredictParts& parts, Learner& learner, WorkflowShelf& shelf);
  ~PredictedRuns();
  PredictedRuns(const PredictedRuns&) = delete;
  PredictedRuns& operator=(const PredictedRuns&) = delete;

  void Use(engine::Runtime& runtime) { runtime_ = &runtime; }
  Task<void> Stop();

  // As PredictDesk tells.
  Task<Result<json::object>> Next(CallContext ctx, engine::Caller caller, NextQuestion question);
  Task<Result<json::object>> Run(CallContext ctx, engine::Caller caller, RunWish wish);
  Task<Result<json::object>> DoIntent(CallContext ctx, engine::Caller caller, IntentWish wish);

  json::object Numbers() const { return ToJson(numbers_); }

 private:
  const PredictParts& parts_;
  Learner& learner_;
  WorkflowShelf& shelf_;
  engine::Runtime* runtime_ = nullptr;
  ActNumbers numbers_;
  TaskScope tasks_;
};

}  // namespace falconer::predict
