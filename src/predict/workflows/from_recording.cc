// WorkflowFrom: one recording as a workflow of its own.

#include "predict/workflows/recorded_actions.h"
#include "predict/workflows/recorded_step.h"
#include "predict/workflows/step_writer.h"

namespace falconer::predict {

Result<LearnedWorkflow> WorkflowFrom(const Recording& recording) {
  const std::vector<RecordedStep> actions = ActionsWorthDoing(recording.steps);
  if (actions.empty())
    return Fail(ErrorCode::kInvalidArgument, "nothing was recorded that could be done again");
  StepWriter writer;
  writer.Begin(actions.front());
  for (const RecordedStep& action : actions) writer.Write(action);
  LearnedWorkflow workflow = std::move(writer).Take();
  workflow.name = recording.workflow;
  workflow.recordings = 1;
  // What was recorded is written by the rules for what anybody writes.
  return LearnedWorkflow::FromJson(workflow.ToJson());
}

}  // namespace falconer::predict
