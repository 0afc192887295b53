#pragma once
// How sure the predictor is of each step of a workflow, given those before it.

#include "predict/act/learnt_next.h"
#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {

// {"name","version","steps":[{"id","intent","confidence","probability","source","seen","rank",
// "healed"}]}: a step that is not predicted at all has the confidence 0.
json::object StepConfidence(const LearnedWorkflow& workflow, const LearntNext& learnt);

}  // namespace falconer::predict
