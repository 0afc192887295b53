#pragma once
// One step of two that were found to be the same.

#include "predict/workflows/learned_workflow.h"
#include "predict/workflows/workflow_differences.h"

namespace falconer::predict {

// What both say stays, what differs becomes a parameter or is left out. The id is the left one's.
WorkflowStep MergeSteps(const WorkflowStep& left, const WorkflowStep& right,
                        WorkflowDifferences& differences);

// A step that only one of them has, with what is known to differ as parameters.
WorkflowStep LeftStep(WorkflowStep step, const WorkflowDifferences& differences);
WorkflowStep RightStep(WorkflowStep step, const WorkflowDifferences& differences);

}  // namespace falconer::predict
