#include "predict/runs/run_lessons.h"

#include <algorithm>

#include "predict/act/step_contract.h"

namespace falconer::predict {
namespace {

// Of a step; more tell nothing.
constexpr std::size_t kMaxHealed = 5;

WorkflowStep* StepCalled(LearnedWorkflow& workflow, const std::string& id) {
  const auto found = std::ranges::find(workflow.steps, id, &WorkflowStep::id);
  return found == workflow.steps.end() ? nullptr : &*found;
}

// The new ones first, then those it had, each once.
std::vector<std::string> Joined(const std::vector<std::string>& first,
                                const std::vector<std::string>& then) {
  std::vector<std::string> all = first;
  for (const std::string& selector : then)
    if (std::ranges::find(all, selector) == all.end()) all.push_back(selector);
  if (all.size() > model::kMaxFingerprintSelectors) all.resize(model::kMaxFingerprintSelectors);
  return all;
}

void PutHealed(LearnedWorkflow& workflow, const HealedStep& healed) {
  WorkflowStep* step = StepCalled(workflow, healed.step);
  if (step == nullptr) return;
  const auto selectors = Joined(healed.selectors, SelectorsOf(*step));
  *step = WithSelectors(std::move(*step), selectors);
  if (step->element) step->element->selectors = selectors;
  step->healed.push_back(healed.how);
  if (step->healed.size() > kMaxHealed) step->healed.erase(step->healed.begin());
}

// Unique in the workflow.
std::string FreeId(const LearnedWorkflow& workflow, const std::string& wanted) {
  const auto is_taken = [&](const std::string& id) {
    return std::ranges::find(workflow.steps, id, &WorkflowStep::id) != workflow.steps.end();
  };
  if (!is_taken(wanted)) return wanted;
  int n = 2;
  while (is_taken(wanted + "-" + std::to_string(n))) ++n;
  return wanted + "-" + std::to_string(n);
}

void PutAdvised(LearnedWorkflow& workflow, const AdvisedStep& advised) {
  if (workflow.steps.size() >= kMaxWorkflowSteps) return;
  const auto before = std::ranges::find(workflow.steps, advised.after, &WorkflowStep::id);
  // Behind a step that is not kept nobody knows its place.
  if (!advised.after.empty() && before == workflow.steps.end()) return;
  const auto place = advised.after.empty() ? 0 : before - workflow.steps.begin() + 1;
  WorkflowStep step = advised.step;
  step.id = FreeId(workflow, step.id);
  step.by = store::DoneBy::kAgent;
  // This run counts as a recording: what is done each time was done, and this once.
  step.recordings = 1;
  for (WorkflowStep& other : workflow.steps)
    if (other.recordings == workflow.recordings) ++other.recordings;
  ++workflow.recordings;
  workflow.steps.insert(workflow.steps.begin() + place, std::move(step));
}

}  // namespace

LearnedWorkflow WithLessons(LearnedWorkflow workflow, const RunLessons& lessons) {
  for (const HealedStep& healed : lessons.healed()) PutHealed(workflow, healed);
  for (const AdvisedStep& advised : lessons.advised()) PutAdvised(workflow, advised);
  return workflow;
}

}  // namespace falconer::predict
