#include "predict/workflows/step_check.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "predict/signature.h"
#include "predict/workflows/bind_contract.h"
#include "predict/workflows/bind_selector.h"

namespace falconer::predict {
namespace {

using model::Fingerprint;

// What a parameter may stand for: words, or a whole address.
constexpr std::string_view kSampleValues[] = {"sample", "https://sample.example/"};
constexpr std::string_view kAnyWorkflow = "workflow";

std::unexpected<Error> RefuseStep(const std::string& path, std::string_view why) {
  return std::unexpected(
      Error(ErrorCode::kInvalidArgument, fmt::format("{}: {}", path, why), {{"field", path}}));
}

// As a failure of the document's own, wherever it comes from.
std::unexpected<Error> RefusePart(const std::string& path, const Error& error) {
  return RefuseStep(path, error.message());
}

// "workflow.steps[0].contract.action_spec.url: why"
std::unexpected<Error> RefuseWhole(const std::string& message) {
  return std::unexpected(Error(ErrorCode::kInvalidArgument, message,
                               {{"field", message.substr(0, message.find(": "))}}));
}

ValueOf SampleOf(std::span<const WorkflowParameter> parameters, std::string_view sample) {
  return [parameters, sample](const std::string& name) -> Result<std::string> {
    const auto found = std::ranges::find(parameters, name, &WorkflowParameter::name);
    if (found == parameters.end())
      return Fail(ErrorCode::kInvalidArgument, fmt::format("there is no parameter {}", name));
    return found->fallback.value_or(std::string(sample));
  };
}

Result<void> CheckMembers(const json::object& contract, const std::string& path) {
  for (const auto& member : contract) {
    const std::string_view key = member.key();
    if (std::ranges::find(kStepMembers, key) == std::end(kStepMembers))
      return RefuseStep(fmt::format("{}.{}", path, key), "unknown field");
  }
  if (!contract.contains("action_spec")) return RefuseStep(path + ".action_spec", "is required");
  return {};
}

Result<void> CheckContractWith(const WorkflowStep& step, const ValueOf& value_of) {
  TRY_ASSIGN(json::object bound, BindContract(step.contract, value_of, LostSelectors::kRefuse));
  TRY(ContractOf({.contract = std::move(bound)}, WorkflowId(std::string(kAnyWorkflow))));
  return {};
}

// A contract may be good for one kind of value only.
Result<void> CheckStepContract(const WorkflowStep& step,
                               std::span<const WorkflowParameter> parameters,
                               const std::string& path) {
  TRY(CheckMembers(step.contract, path));
  std::optional<Error> first;
  for (const std::string_view sample : kSampleValues) {
    const Result<void> checked = CheckContractWith(step, SampleOf(parameters, sample));
    if (checked) return {};
    if (!first) first = checked.error();
  }
  const bool names_field = std::ranges::any_of(
      kStepMembers, [&](std::string_view key) { return first->message().starts_with(key); });
  return names_field ? RefuseWhole(path + "." + first->message()) : RefusePart(path, *first);
}

Result<void> CheckElement(const Fingerprint& element, const ValueOf& value_of,
                          const std::string& path) {
  for (const std::string* text : {&element.name, &element.text, &element.label, &element.landmark,
                                  &element.item, &element.before}) {
    if (auto words = Expand(TemplateOf(*text), value_of); !words)
      return RefusePart(path, words.error());
  }
  for (const auto& [name, text] : element.attributes) {
    if (auto words = Expand(TemplateOf(text), value_of); !words)
      return RefusePart(fmt::format("{}.attributes", path), words.error());
  }
  for (std::size_t i = 0; i < element.selectors.size(); ++i) {
    if (auto selector = BindSelector(element.selectors[i], value_of); !selector)
      return RefusePart(fmt::format("{}.selectors[{}]", path, i), selector.error());
  }
  return {};
}

}  // namespace

Result<void> CheckStep(const WorkflowStep& step, std::span<const WorkflowParameter> parameters,
                       const std::string& path) {
  const ValueOf value_of = SampleOf(parameters, kSampleValues[0]);
  if (!IsWorkflowName(step.id)) return RefuseStep(path + ".id", "is no name of a step");
  if (auto words = Expand(TemplateOf(step.intent), value_of); !words)
    return RefusePart(path + ".intent", words.error());
  TRY(CheckStepContract(step, parameters, path + ".contract"));
  if (step.element) TRY(CheckElement(*step.element, value_of, path + ".element"));
  for (std::size_t i = 0; i < step.healed.size(); ++i) {
    if (auto selector = BindSelector(step.healed[i].selector, value_of); !selector)
      return RefusePart(fmt::format("{}.healed[{}].selector", path, i), selector.error());
  }
  return {};
}

Result<model::ActionContract> ContractOf(const WorkflowStep& bound, const WorkflowId& workflow) {
  json::object contract = bound.contract;
  contract["workflow_id"] = workflow.value();
  if (!bound.intent.empty()) contract["intent"] = bound.intent;
  return model::ActionContract::FromJson(contract);
}

std::string StepSignature(const WorkflowStep& step) {
  const ValueOf any = [](const std::string&) -> Result<std::string> { return "*"; };
  const json::object open = BindContract(step.contract, any).value_or(json::object());
  const json::value* action = open.if_contains("action_spec");
  if (action == nullptr || !action->is_object()) return "";
  JsonReader reader(action->get_object());
  const model::ActionSpec spec = model::ReadActionSpec(reader);
  std::optional<Fingerprint> element = step.element;
  if (element && !BindElement(*element, any)) element = step.element;
  return SignatureOf({.spec = spec, .element = element ? &*element : nullptr});
}

}  // namespace falconer::predict
