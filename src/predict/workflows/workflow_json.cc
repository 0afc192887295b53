// LearnedWorkflow to and from JSON.

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/text.h"
#include "base/utf8.h"
#include "predict/workflows/learned_workflow.h"
#include "predict/workflows/step_check.h"
#include "predict/workflows/template_text.h"

namespace falconer::predict {
namespace {

constexpr Bounds<std::size_t> kAboutSize = {0, 1024};
constexpr Bounds<std::size_t> kStepTextSize = {0, 4096};
constexpr Bounds<std::size_t> kIdSize = {1, 64};
constexpr Bounds<std::int64_t> kVersions = {0, (1LL << 53) - 1};
constexpr Bounds<std::int64_t> kRecordingCounts = {0, 1'000'000};
constexpr Bounds<double> kScores = {0, 1};

std::string ReadName(JsonReader& in, bool (*is_name)(std::string_view)) {
  std::string name = in.String("name", kIdSize);
  if (!in.failed() && !is_name(name)) in.Reject("name", "is no such name");
  return name;
}

WorkflowParameter ReadWorkflowParameter(JsonReader& in) {
  WorkflowParameter out;
  out.name = ReadName(in, IsParameterName);
  out.about = in.OptionalString("about", kAboutSize).value_or("");
  out.fallback = in.OptionalString("default");
  if (!out.fallback) return out;
  if (Utf8Length(*out.fallback) > model::kMaxTextLength) in.Reject("default", "is too long");
  if (HasControl(*out.fallback)) in.Reject("default", "has a control character");
  return out;
}

HealedSelector ReadHealed(JsonReader& in) {
  return {.selector = in.String("selector", kStepTextSize),
          .instead_of = in.OptionalString("instead_of", kStepTextSize).value_or(""),
          .turn = in.OptionalString("turn", kAboutSize).value_or(""),
          .at_ms = in.OptionalInteger("at_ms", kVersions).value_or(0),
          .score = in.OptionalNumber("score", kScores).value_or(0),
          .margin = in.OptionalNumber("margin", kScores).value_or(0),
          .ranker = in.OptionalString("ranker", kAboutSize).value_or("")};
}

std::optional<model::Fingerprint> ReadStepElement(JsonReader& in) {
  const auto value = in.OptionalRawValue("element");
  if (!value) return std::nullopt;
  auto element = model::Fingerprint::FromJson(*value, in.path() + ".element");
  if (element) return *std::move(element);
  in.Reject(std::move(element).error());
  return std::nullopt;
}

WorkflowStep ReadWorkflowStep(JsonReader& in) {
  WorkflowStep out;
  out.id = in.String("id", kIdSize);
  out.intent = in.OptionalString("intent", kStepTextSize).value_or("");
  out.contract = in.RawObject("contract");
  out.element = ReadStepElement(in);
  out.page = in.OptionalString("page", kStepTextSize).value_or("");
  out.signature = in.OptionalString("signature", kStepTextSize).value_or("");
  out.recordings = static_cast<int>(in.OptionalInteger("recordings", kRecordingCounts).value_or(1));
  out.by = in.OptionalEnum("by", store::kDoers).value_or(store::DoneBy::kPerson);
  out.healed = in.OptionalObjects("healed", ReadHealed, {0, kMaxHealedSelectors});
  return out;
}

LearnedWorkflow ReadWorkflow(JsonReader& in) {
  LearnedWorkflow out;
  out.name = ReadName(in, IsWorkflowName);
  out.version = in.OptionalInteger("version", kVersions).value_or(0);
  out.about = in.OptionalString("about", kAboutSize).value_or("");
  out.recordings = static_cast<int>(in.OptionalInteger("recordings", kRecordingCounts).value_or(0));
  out.parameters =
      in.OptionalObjects("parameters", ReadWorkflowParameter, {0, kMaxWorkflowParameters});
  out.steps = in.Objects("steps", ReadWorkflowStep, {1, kMaxWorkflowSteps});
  return out;
}

std::unexpected<Error> RefuseTwice(const std::string& path, std::string_view name) {
  return std::unexpected(Error(ErrorCode::kInvalidArgument,
                               fmt::format("{}: {} is there twice", path, name),
                               {{"field", path}}));
}

Result<void> CheckWorkflow(const LearnedWorkflow& workflow, const std::string& path) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < workflow.parameters.size(); ++i) {
    const std::string& name = workflow.parameters[i].name;
    if (!names.insert(name).second)
      return RefuseTwice(fmt::format("{}.parameters[{}].name", path, i), name);
  }
  std::set<std::string_view> ids;
  for (std::size_t i = 0; i < workflow.steps.size(); ++i) {
    const std::string here = fmt::format("{}.steps[{}]", path, i);
    const WorkflowStep& step = workflow.steps[i];
    TRY(CheckStep(step, workflow.parameters, here));
    if (!ids.insert(step.id).second) return RefuseTwice(here + ".id", step.id);
  }
  return {};
}

json::object ParameterJson(const WorkflowParameter& parameter) {
  json::object out{{"name", parameter.name}};
  if (!parameter.about.empty()) out["about"] = parameter.about;
  if (parameter.fallback) out["default"] = *parameter.fallback;
  return out;
}

json::object HealedJson(const HealedSelector& healed) {
  return {{"selector", healed.selector}, {"instead_of", healed.instead_of},
          {"turn", healed.turn},         {"at_ms", healed.at_ms},
          {"score", healed.score},       {"margin", healed.margin},
          {"ranker", healed.ranker}};
}

json::object WorkflowStepJson(const WorkflowStep& step) {
  json::object out{{"id", step.id}};
  if (!step.intent.empty()) out["intent"] = step.intent;
  if (!step.page.empty()) out["page"] = step.page;
  out["recordings"] = step.recordings;
  out["by"] = NameIn(store::kDoers, step.by);
  out["contract"] = step.contract;
  if (step.element) out["element"] = step.element->ToJson();
  if (!step.signature.empty()) out["signature"] = step.signature;
  if (step.healed.empty()) return out;
  json::array& list = out["healed"].emplace_array();
  for (const HealedSelector& healed : step.healed) list.emplace_back(HealedJson(healed));
  return out;
}

}  // namespace

Result<LearnedWorkflow> LearnedWorkflow::FromJson(const json::value& value, std::string path) {
  TRY_ASSIGN(LearnedWorkflow out, ReadJson(value, path, ReadWorkflow));
  TRY(CheckWorkflow(out, path));
  for (WorkflowStep& step : out.steps)
    if (step.signature.empty()) step.signature = StepSignature(step);
  return out;
}

json::object LearnedWorkflow::ToJson() const {
  json::object out{{"name", name}};
  if (version != 0) out["version"] = version;
  if (!about.empty()) out["about"] = about;
  out["recordings"] = recordings;
  if (!parameters.empty()) {
    json::array& list = out["parameters"].emplace_array();
    for (const WorkflowParameter& parameter : parameters)
      list.emplace_back(ParameterJson(parameter));
  }
  json::array& list = out["steps"].emplace_array();
  for (const WorkflowStep& step : steps) list.emplace_back(WorkflowStepJson(step));
  return out;
}

}  // namespace falconer::predict
