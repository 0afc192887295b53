// MergeWorkflows: several recordings of the same workflow become one, each with those before it.

#include <algorithm>
#include <set>

#include "predict/workflows/recorded_step.h"
#include "predict/workflows/step_alignment.h"
#include "predict/workflows/step_merge.h"
#include "predict/workflows/template_text.h"

namespace falconer::predict {
namespace {

std::string BracedName(const WorkflowParameter& parameter) {
  return "{" + parameter.name + "}";
}

// Where it is used first; behind everything when it is not.
std::size_t FirstUse(const LearnedWorkflow& workflow, const WorkflowParameter& parameter) {
  const auto found = std::ranges::find_if(workflow.steps, [&](const WorkflowStep& step) {
    return json::serialize(step.contract).contains(BracedName(parameter)) ||
           (step.element &&
            json::serialize(step.element->ToJson()).contains(BracedName(parameter)));
  });
  return static_cast<std::size_t>(found - workflow.steps.begin());
}

// In the order in which they are used; those that no step has any more are gone.
void SortParameters(LearnedWorkflow& workflow) {
  std::vector<WorkflowParameter> sorted;
  for (std::size_t at = 0; at < workflow.steps.size(); ++at) {
    for (const WorkflowParameter& one : workflow.parameters)
      if (FirstUse(workflow, one) == at) sorted.push_back(one);
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

// A step keeps its id; one whose words became a parameter's is called after that.
void NameSteps(LearnedWorkflow& out, const LearnedWorkflow& left) {
  std::set<std::string> unchanged;
  for (const WorkflowStep& step : left.steps) unchanged.insert(step.id + step.signature);
  NameBook ids('-');
  for (const WorkflowStep& step : out.steps)
    if (unchanged.contains(step.id + step.signature)) ids.Take(step.id);
  for (WorkflowStep& step : out.steps)
    if (!unchanged.contains(step.id + step.signature)) step.id = ids.Take(IdOf(step));
}

void RenameAll(json::value& value, const std::string& from, const std::string& to) {
  if (json::object* object = value.if_object()) {
    for (auto& member : *object) RenameAll(member.value(), from, to);
  } else if (json::array* array = value.if_array()) {
    for (json::value& one : *array) RenameAll(one, from, to);
  } else if (json::string* text = value.if_string()) {
    TemplateParts parts = TemplateOf(*text);
    for (TemplatePart& part : parts) {
      const bool is_meant = part.kind == TemplatePart::Kind::kParameter && part.text == from;
      if (is_meant) part.text = to;
    }
    *text = TemplateText(parts);
  }
}

void RenameParameter(LearnedWorkflow& workflow, const std::string& from, const std::string& to) {
  for (WorkflowParameter& one : workflow.parameters)
    if (one.name == from) one.name = to;
  for (WorkflowStep& step : workflow.steps) {
    for (auto& member : step.contract) RenameAll(member.value(), from, to);
    json::value words = {{"intent", step.intent}};
    if (step.element) words.get_object()["element"] = step.element->ToJson();
    RenameAll(words, from, to);
    step.intent = TextAt(words.get_object(), "intent");
    if (!step.element) continue;
    if (auto element = model::Fingerprint::FromJson(words.at("element"))) step.element = *element;
  }
}

// What was named after a field that says something else by now is named after that.
void RenameFields(LearnedWorkflow& out, const LearnedWorkflow& left) {
  NameBook names('_');
  for (const WorkflowParameter& one : out.parameters) names.Take(one.name);
  for (const WorkflowStep& before : left.steps) {
    const auto now = std::ranges::find(out.steps, before.id, &WorkflowStep::id);
    if (now == out.steps.end() || !before.element || !now->element) continue;
    const std::string old = FieldParameter(&*before.element);
    const std::string name = FieldParameter(&*now->element);
    const bool is_typed =
        TextAt(now->contract.at("action_spec").as_object(), "text") == "{" + old + "}";
    if (old != name && is_typed) RenameParameter(out, old, names.Take(name));
  }
}

LearnedWorkflow MergeTwo(const LearnedWorkflow& left, const LearnedWorkflow& right) {
  WorkflowDifferences differences(left, right);
  const std::vector<AlignedSteps> aligned = AlignSteps(left.steps, right.steps);
  LearnedWorkflow out = left;
  out.steps.clear();
  out.recordings = left.recordings + right.recordings;
  for (const AlignedSteps& one : aligned) {
    if (one.left && one.right) {
      out.steps.push_back(MergeSteps(left.steps[*one.left], right.steps[*one.right], differences));
    } else {
      out.steps.push_back(one.left ? left.steps[*one.left] : right.steps[*one.right]);
    }
  }
  // What differs is known only now.
  for (std::size_t i = 0; i < aligned.size(); ++i) {
    if (!aligned[i].left) out.steps[i] = RightStep(std::move(out.steps[i]), differences);
    if (!aligned[i].right) out.steps[i] = LeftStep(std::move(out.steps[i]), differences);
  }
  AddParameters(out, right.parameters);
  AddParameters(out, differences.found());
  SortParameters(out);
  RenameFields(out, left);
  NameSteps(out, left);
  return out;
}

}  // namespace

Result<LearnedWorkflow> MergeWorkflows(const std::vector<LearnedWorkflow>& recordings) {
  if (recordings.empty())
    return Fail(ErrorCode::kInvalidArgument, "there is no recording to merge");
  LearnedWorkflow merged = recordings.front();
  for (const LearnedWorkflow& next : std::span(recordings).subspan(1))
    merged = MergeTwo(merged, next);
  return LearnedWorkflow::FromJson(merged.ToJson());
}

}  // namespace falconer::predict
