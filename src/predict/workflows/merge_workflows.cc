// MergeWorkflows: several recordings of the same workflow become one, each with those before it.

#include <algorithm>

#include "predict/workflows/recorded_step.h"
#include "predict/workflows/step_alignment.h"
#include "predict/workflows/step_check.h"
#include "predict/workflows/step_merge.h"
#include "predict/workflows/step_parameters.h"

namespace falconer::predict {
namespace {

// In the order in which they are used; those that no step has any more are gone.
void SortParameters(LearnedWorkflow& workflow) {
  std::vector<WorkflowParameter> sorted;
  for (const WorkflowStep& step : workflow.steps) {
    for (const std::string& name : ParametersIn(step)) {
      const auto found = std::ranges::find(workflow.parameters, name, &WorkflowParameter::name);
      const bool is_new = std::ranges::find(sorted, name, &WorkflowParameter::name) == sorted.end();
      if (found != workflow.parameters.end() && is_new) sorted.push_back(*found);
    }
  }
  workflow.parameters = std::move(sorted);
}

void AddParameters(LearnedWorkflow& out, const std::vector<WorkflowParameter>& more) {
  for (const WorkflowParameter& one : more) {
    const bool is_known = std::ranges::find(out.parameters, one.name, &WorkflowParameter::name) !=
                          out.parameters.end();
    if (!is_known) out.parameters.push_back(one);
  }
}

// A step of the left one keeps its id; one whose words became a parameter's is called after that.
void NameSteps(LearnedWorkflow& out, const LearnedWorkflow& left,
               const std::vector<AlignedSteps>& aligned) {
  NameBook ids('-');
  std::vector<WorkflowStep*> nameless;
  for (std::size_t i = 0; i < aligned.size(); ++i) {
    const WorkflowStep* before = aligned[i].left ? &left.steps[*aligned[i].left] : nullptr;
    if (before != nullptr && before->signature == out.steps[i].signature) {
      out.steps[i].id = ids.Take(before->id);
    } else {
      nameless.push_back(&out.steps[i]);
    }
  }
  for (WorkflowStep* step : nameless) step->id = ids.Take(IdOf(*step));
}

// What was named after a field that says something else by now is named after that.
void RenameFields(LearnedWorkflow& out, const LearnedWorkflow& left,
                  const std::vector<AlignedSteps>& aligned) {
  NameBook names('_');
  for (const WorkflowParameter& one : out.parameters) names.Take(one.name);
  for (std::size_t i = 0; i < aligned.size(); ++i) {
    if (!aligned[i].left || !out.steps[i].element) continue;
    const WorkflowStep& before = left.steps[*aligned[i].left];
    if (!before.element) continue;
    for (WorkflowParameter& one : out.parameters)
      if (one.about == ElementWords(before)) one.about = ElementWords(out.steps[i]);
    const std::string old = FieldParameter(&*before.element);
    const std::string name = FieldParameter(&*out.steps[i].element);
    const json::object& spec = out.steps[i].contract.at("action_spec").as_object();
    const bool is_typed = TextAt(spec, "text") == "{" + old + "}";
    if (old != name && is_typed) RenameParameter(out, old, names.Take(name));
  }
}

// What differs is known only when all of them were seen.
std::vector<WorkflowStep> MergeAligned(const LearnedWorkflow& left, const LearnedWorkflow& right,
                                       const std::vector<AlignedSteps>& aligned,
                                       WorkflowDifferences& differences) {
  std::vector<WorkflowStep> steps;
  for (const AlignedSteps& one : aligned) {
    const bool is_in_both = one.left && one.right;
    steps.push_back(is_in_both
                        ? MergeSteps(left.steps[*one.left], right.steps[*one.right], differences)
                        : WorkflowStep());
  }
  for (std::size_t i = 0; i < aligned.size(); ++i) {
    if (!aligned[i].left) steps[i] = RightStep(right.steps[*aligned[i].right], differences);
    if (!aligned[i].right) steps[i] = LeftStep(left.steps[*aligned[i].left], differences);
  }
  return steps;
}

// A step that cannot be said for both is said as one of them had it.
void KeepGoodSteps(LearnedWorkflow& out, const LearnedWorkflow& left, const LearnedWorkflow& right,
                   const std::vector<AlignedSteps>& aligned) {
  for (std::size_t i = 0; i < aligned.size(); ++i) {
    WorkflowStep& step = out.steps[i];
    if (CheckStep(step, out.parameters, "step")) continue;
    const int recordings = step.recordings;
    step = aligned[i].left ? left.steps[*aligned[i].left] : right.steps[*aligned[i].right];
    step.recordings = recordings;
  }
}

LearnedWorkflow MergeTwo(const LearnedWorkflow& left, const LearnedWorkflow& right) {
  WorkflowDifferences differences(left, right);
  const std::vector<AlignedSteps> aligned = AlignSteps(left.steps, right.steps);
  LearnedWorkflow out = left;
  out.recordings = left.recordings + right.recordings;
  out.steps = MergeAligned(left, right, aligned, differences);
  AddParameters(out, right.parameters);
  AddParameters(out, differences.found());
  KeepGoodSteps(out, left, right, aligned);
  SortParameters(out);
  RenameFields(out, left, aligned);
  NameSteps(out, left, aligned);
  return out;
}

bool HasActions(const LearnedWorkflow& workflow) {
  return std::ranges::all_of(workflow.steps, [](const WorkflowStep& step) {
    const json::value* spec = step.contract.if_contains("action_spec");
    return spec != nullptr && spec->is_object();
  });
}

}  // namespace

Result<LearnedWorkflow> MergeWorkflows(const std::vector<LearnedWorkflow>& recordings) {
  if (recordings.empty())
    return Fail(ErrorCode::kInvalidArgument, "there is no recording to merge");
  if (!std::ranges::all_of(recordings, HasActions))
    return Fail(ErrorCode::kInvalidArgument, "a step of a recording does nothing");
  LearnedWorkflow merged = recordings.front();
  for (const LearnedWorkflow& next : std::span(recordings).subspan(1))
    merged = MergeTwo(merged, next);
  return LearnedWorkflow::FromJson(merged.ToJson());
}

}  // namespace falconer::predict
