// Bind and CompleteValues: a step of a learned workflow with the values of its parameters.

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "base/utf8.h"
#include "predict/workflows/bind_contract.h"
#include "predict/workflows/bind_selector.h"
#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {
namespace {

using model::Fingerprint;

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

Result<void> BindWords(std::string& text, const ValueOf& value_of) {
  TRY_ASSIGN(const std::string bound, Expand(TemplateOf(text), value_of));
  text = Utf8Prefix(bound, model::kMaxFingerprintText);
  return {};
}

constexpr std::string Fingerprint::* kBoundWords[] = {
    &Fingerprint::name,     &Fingerprint::text, &Fingerprint::label,
    &Fingerprint::landmark, &Fingerprint::item, &Fingerprint::before,
};

// Selectors that the values do not go into find nothing; the others do.
void BindSelectors(std::vector<std::string>& selectors, const ValueOf& value_of) {
  std::vector<std::string> bound;
  for (const std::string& selector : selectors) {
    if (Result<std::string> one = BindSelector(selector, value_of))
      bound.push_back(*std::move(one));
  }
  selectors = std::move(bound);
}

Result<void> BindFingerprint(Fingerprint& element, const ValueOf& value_of) {
  for (const auto member : kBoundWords) TRY(BindWords(element.*member, value_of));
  for (auto& [name, text] : element.attributes) TRY(BindWords(text, value_of));
  BindSelectors(element.selectors, value_of);
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
  if (bound.element) TRY(BindFingerprint(*bound.element, value_of));
  for (HealedSelector& healed : bound.healed) {
    if (Result<std::string> selector = BindSelector(healed.selector, value_of))
      healed.selector = *std::move(selector);
  }
  return bound;
}

}  // namespace falconer::predict
