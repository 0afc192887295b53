// Bind and CompleteValues: a step of a learned workflow with the values of its parameters.

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "base/utf8.h"
#include "model/action/action.h"
#include "predict/workflows/bind_contract.h"
#include "predict/workflows/bind_selector.h"
#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {
namespace {

std::unexpected<Error> RefuseValue(std::string_view name, std::string_view why) {
  return std::unexpected(Error(ErrorCode::kInvalidArgument,
                               fmt::format("parameter {}: {}", name, why), {{"parameter", name}}));
}

ValueOf ValuesFrom(const ParameterValues& values) {
  return [&values](const std::string& name) -> Result<std::string> {
    const auto found = values.find(name);
    if (found == values.end()) return RefuseValue(name, "has no value");
    return found->second;
  };
}

Result<void> CheckValue(std::string_view name, std::string_view value) {
  if (!IsValidUtf8(value)) return RefuseValue(name, "is not UTF-8");
  if (HasControl(value)) return RefuseValue(name, "has a control character");
  if (Utf8Length(value) > model::kMaxTextLength)
    return RefuseValue(name, fmt::format("is longer than {} characters", model::kMaxTextLength));
  return {};
}

}  // namespace

Result<ParameterValues> CompleteValues(const LearnedWorkflow& workflow, ParameterValues given) {
  std::vector<std::string_view> known;
  for (const WorkflowParameter& parameter : workflow.parameters) known.push_back(parameter.name);
  for (const auto& [name, value] : given) {
    if (std::ranges::find(known, name) == known.end()) {
      return RefuseValue(
          name, fmt::format("workflow {} has none of this name; it has {}", workflow.name,
                            known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
    TRY(CheckValue(name, value));
  }
  for (const WorkflowParameter& parameter : workflow.parameters) {
    if (given.contains(parameter.name)) continue;
    if (!parameter.fallback) return RefuseValue(parameter.name, "is required");
    given.emplace(parameter.name, *parameter.fallback);
  }
  return given;
}

Result<WorkflowStep> Bind(const WorkflowStep& step, const ParameterValues& values) {
  const ValueOf value_of = ValuesFrom(values);
  WorkflowStep bound = step;
  Result<json::object> contract = BindContract(step.contract, value_of);
  if (!contract) return Fail(std::move(contract).error().In("step " + step.id));
  bound.contract = *std::move(contract);
  if (bound.element) TRY(BindElement(*bound.element, value_of));
  for (HealedSelector& healed : bound.healed) {
    if (Result<std::string> selector = BindSelector(healed.selector, value_of))
      healed.selector = *std::move(selector);
  }
  return bound;
}

}  // namespace falconer::predict
