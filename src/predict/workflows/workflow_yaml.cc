// LearnedWorkflow as a YAML text, and back.

#include <fmt/format.h>

#include "predict/workflows/learned_workflow.h"
#include "predict/workflows/step_check.h"
#include "predict/workflows/yaml_document.h"

namespace falconer::predict {
namespace {

constexpr std::string_view kYamlRoot = "workflow";

// Messages begin with the place: "workflow.steps[0].id: why".
Error AtItsLine(const YamlDocument& document, const Error& error) {
  std::string_view path = error.message();
  path = path.substr(0, path.find(": "));
  if (path.starts_with(kYamlRoot)) path.remove_prefix(kYamlRoot.size());
  if (path.starts_with('.')) path.remove_prefix(1);
  const int line = document.LineOf(path);
  return {error.code(), fmt::format("line {}: {}", line, error.message()), {{"line", line}}};
}

}  // namespace

// Signatures are nothing for people to write: reading makes them again.
std::string WorkflowToYaml(const LearnedWorkflow& workflow) {
  LearnedWorkflow shown = workflow;
  for (WorkflowStep& step : shown.steps)
    if (step.signature == StepSignature(step)) step.signature.clear();
  return YamlText(shown.ToJson());
}

Result<LearnedWorkflow> WorkflowFromYaml(std::string_view text) {
  TRY_ASSIGN(const YamlDocument document, ParseYamlDocument(text));
  Result<LearnedWorkflow> workflow =
      LearnedWorkflow::FromJson(document.value, std::string(kYamlRoot));
  if (!workflow) return Fail(AtItsLine(document, workflow.error()));
  return workflow;
}

}  // namespace falconer::predict
