#include "predict/act/step_contract.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>

namespace falconer::predict {
namespace {

constexpr std::string_view kSelector = "selector";
// Of an action, and of what else names an element.
constexpr std::string_view kCandidates = "selector_candidates";
constexpr std::string_view kOtherCandidates = "candidates";
constexpr std::string_view kMark = "predicted";

const json::object* SpecOfStep(const WorkflowStep& step) {
  const json::value* spec = step.contract.if_contains("action_spec");
  return spec == nullptr ? nullptr : spec->if_object();
}

// The object that names the element: the spec itself, or what stands under "target".
const json::object* TargetIn(const WorkflowStep& step) {
  const json::object* spec = SpecOfStep(step);
  if (spec == nullptr) return nullptr;
  const json::value* nested = spec->if_contains("target");
  return nested != nullptr && nested->is_object() ? &nested->get_object() : spec;
}

void AddTexts(const json::object& object, std::string_view key, std::vector<std::string>& out) {
  const json::value* list = object.if_contains(key);
  if (list == nullptr || !list->is_array()) return;
  for (const json::value& one : list->get_array()) {
    if (one.is_string()) out.emplace_back(one.get_string());
  }
}

void NameBySelectors(json::object& target, std::string_view candidates,
                     const std::vector<std::string>& selectors) {
  target[kSelector] = selectors.front();
  target.erase(candidates);
  if (selectors.size() > 1)
    target[candidates] = json::array(selectors.begin() + 1, selectors.end());
}

void NameByRef(json::object& target, std::string_view candidates, std::string_view key,
               const std::string& ref) {
  target.erase(kSelector);
  target.erase(candidates);
  target[key] = ref;
}

using PutTarget = std::function<void(json::object& target)>;

// Rules and waits that look at the same element look at the one that took its place.
void Follow(json::value& value, const std::set<std::string>& before, const PutTarget& put) {
  if (auto* list = value.if_array()) {
    for (json::value& one : *list) Follow(one, before, put);
    return;
  }
  auto* object = value.if_object();
  if (object == nullptr) return;
  if (before.contains(TextAt(*object, kSelector))) put(*object);
  for (auto& [key, member] : *object) Follow(member, before, put);
}

// Names another element in all that the step says of its own.
void Retarget(WorkflowStep& step, const PutTarget& put_flat, const PutTarget& put) {
  const std::vector<std::string> list = SelectorsOf(step);
  const std::set<std::string> before(list.begin(), list.end());
  for (auto& [key, part] : step.contract) {
    if (key != "action_spec") Follow(part, before, put);
  }
  auto* spec = step.contract["action_spec"].if_object();
  if (spec == nullptr) return;
  auto* nested = spec->if_contains("target");
  const bool is_nested = nested != nullptr && nested->is_object();
  is_nested ? put(nested->get_object()) : put_flat(*spec);
}

json::object MarkOf(const StepPlace& place) {
  json::object mark = place.told;
  mark["by"] = NameIn(kChoosers, place.by);
  return {{kMark, std::move(mark)}};
}

std::string KeyOf(const StepPlace& place) {
  return fmt::format("predicted.{}", place.index);
}

model::WaitCondition IsSeen(const engine::ProbedTarget& target) {
  model::WaitCondition seen{.kind = model::WaitKind::kSelector};
  model::Target wanted{.strictness = model::Strictness::kFirst};
  for (const std::string& text : target.selectors) {
    auto selector = model::MakeNamedSelector(text);
    if (selector) wanted.candidates.push_back(*std::move(selector));
  }
  if (wanted.candidates.size() > model::kMaxCandidates)
    wanted.candidates.resize(model::kMaxCandidates);
  seen.leaf = model::SelectorWait{.target = std::move(wanted)};
  return seen;
}

bool HasSelectors(const model::WaitCondition& wait) {
  const auto* leaf = std::get_if<model::SelectorWait>(&wait.leaf);
  return leaf != nullptr && !leaf->target.candidates.empty();
}

}  // namespace

Result<model::ActionContract> ContractOf(const WorkflowStep& step, const StepPlace& place) {
  json::object out = step.contract;
  out["workflow_id"] = place.session.value();
  out["run_id"] = place.run.value();
  out["step_index"] = place.index;
  out["intent"] = step.intent;
  out["idempotency"] = {{"scope", "run"}, {"key", KeyOf(place)}};
  out["metadata"] = MarkOf(place);
  return model::ActionContract::FromJson(out, step.id);
}

bool IsPredicted(const model::ActionContract& contract) {
  const json::value* mark = contract.metadata.if_contains(kMark);
  return mark != nullptr && mark->is_object() &&
         TextAt(mark->get_object(), "by") == NameIn(kChoosers, ChosenBy::kPrediction);
}

std::vector<std::string> SelectorsOf(const WorkflowStep& step) {
  std::vector<std::string> selectors;
  const json::object* target = TargetIn(step);
  if (target == nullptr) return selectors;
  if (std::string first = TextAt(*target, kSelector); !first.empty())
    selectors.push_back(std::move(first));
  AddTexts(*target, kCandidates, selectors);
  AddTexts(*target, kOtherCandidates, selectors);
  return selectors;
}

engine::ProbedTarget ProbedOf(const WorkflowStep& step) {
  return {.selectors = SelectorsOf(step), .frame = step.element ? step.element->frame : ""};
}

WorkflowStep WithSelectors(WorkflowStep step, const std::vector<std::string>& selectors) {
  if (selectors.empty()) return step;
  Retarget(
      step, [&](json::object& target) { NameBySelectors(target, kCandidates, selectors); },
      [&](json::object& target) { NameBySelectors(target, kOtherCandidates, selectors); });
  return step;
}

WorkflowStep AtRef(WorkflowStep step, const std::string& ref) {
  Retarget(
      step, [&](json::object& target) { NameByRef(target, kCandidates, "target_eid", ref); },
      [&](json::object& target) { NameByRef(target, kOtherCandidates, "eid", ref); });
  return step;
}

std::string ActionOf(const WorkflowStep& step) {
  const json::object* spec = SpecOfStep(step);
  return spec == nullptr ? "" : TextAt(*spec, "action_type");
}

model::ActionContract WaitFor(const std::vector<engine::ProbedTarget>& targets, Duration most,
                              const StepPlace& place) {
  model::WaitCondition any{.kind = model::WaitKind::kAny,
                           .leaf = std::monostate(),
                           .timeout = std::chrono::duration_cast<std::chrono::milliseconds>(most)};
  for (const engine::ProbedTarget& target : targets) {
    model::WaitCondition seen = IsSeen(target);
    if (HasSelectors(seen) && any.children.size() < model::kMaxWaitLeaves)
      any.children.push_back(std::move(seen));
  }
  model::ActionContract contract{.workflow_id = place.session,
                                 .run_id = place.run,
                                 .step_index = place.index,
                                 .intent = "wait for what comes next"};
  contract.wait_conditions.push_back(std::move(any));
  contract.retry.max_attempts = 1;
  contract.idempotency = {.scope = model::IdempotencyScope::kRun, .key = KeyOf(place)};
  contract.metadata = MarkOf(place);
  return contract;
}

}  // namespace falconer::predict
