#include "predict/workflows/step_parameters.h"

#include <algorithm>

#include "predict/workflows/template_text.h"

namespace falconer::predict {
namespace {

using Kind = TemplatePart::Kind;

// A document is not deep.
void ChangeValue(json::value& value, const ChangeText& change) {
  if (json::object* object = value.if_object()) {
    for (auto& member : *object) ChangeValue(member.value(), change);
  } else if (json::array* array = value.if_array()) {
    for (json::value& one : *array) ChangeValue(one, change);
  } else if (json::string* text = value.if_string()) {
    *text = change(*text);
  }
}

}  // namespace

void ChangeTexts(WorkflowStep& step, const ChangeText& change) {
  for (auto& member : step.contract) ChangeValue(member.value(), change);
  step.intent = change(step.intent);
  for (HealedSelector& healed : step.healed) healed.selector = change(healed.selector);
  if (!step.element) return;
  model::Fingerprint& element = *step.element;
  for (std::string* text : {&element.name, &element.text, &element.label, &element.landmark,
                            &element.item, &element.before})
    *text = change(*text);
  for (auto& [name, text] : element.attributes) text = change(text);
  for (std::string& selector : element.selectors) selector = change(selector);
}

std::vector<std::string> ParametersIn(const WorkflowStep& step) {
  std::vector<std::string> names;
  WorkflowStep copy = step;
  ChangeTexts(copy, [&](std::string_view text) {
    for (const TemplatePart& part : TemplateOf(text)) {
      const bool is_new = std::ranges::find(names, part.text) == names.end();
      if (part.kind == Kind::kParameter && is_new) names.push_back(part.text);
    }
    return std::string(text);
  });
  return names;
}

void RenameParameter(LearnedWorkflow& workflow, const std::string& from, const std::string& to) {
  for (WorkflowParameter& one : workflow.parameters)
    if (one.name == from) one.name = to;
  const auto rename = [&](std::string_view text) {
    TemplateParts parts = TemplateOf(text);
    for (TemplatePart& part : parts)
      if (part.kind == Kind::kParameter && part.text == from) part.text = to;
    return TemplateText(parts);
  };
  for (WorkflowStep& step : workflow.steps) ChangeTexts(step, rename);
}

}  // namespace falconer::predict
