// The rules and the order of a TaskPlan.

#include "model/contract/plan_dag.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "base/utf8.h"

namespace falconer::model {
namespace {

std::unexpected<Error> RefuseDag(std::string_view field, std::string_view why) {
  return std::unexpected(
      Error(ErrorCode::kInvalidContract, fmt::format("{}: {}", field, why), {{"field", field}}));
}

bool Has(std::span<const StepId> list, const StepId& id) {
  return std::ranges::find(list, id) != list.end();
}

Result<void> CheckStepId(std::string_view field, std::string_view id) {
  if (id.empty()) return RefuseDag(field, "is required");
  if (id.size() > kMaxContractIdLength) return RefuseDag(field, "is too long");
  if (!IsCallerId(id)) return RefuseDag(field, kNotACallerId);
  return {};
}

Result<void> CheckText(std::string_view field, std::string_view text, std::size_t limit) {
  if (!IsValidUtf8(text)) return RefuseDag(field, "is not UTF-8");
  if (Utf8Length(text) > limit) return RefuseDag(field, fmt::format("is longer than {}", limit));
  return {};
}

Result<void> CheckStep(const PlanStep& step, const std::string& where) {
  TRY(CheckStepId(where + ".step_id", step.step_id.value()));
  TRY(CheckText(where + ".expected_outcome", step.expected_outcome, kMaxOutcomeLength));
  if (!kParallelGroups.Contains(step.parallel_group)) {
    return RefuseDag(where + ".parallel_group",
                     fmt::format("must be between 0 and {}", kParallelGroups.max));
  }
  if (step.timeout && !kStepTimeoutMs.Contains(step.timeout->count())) {
    return RefuseDag(where + ".timeout_ms",
                     fmt::format("must be between 1 and {}", kStepTimeoutMs.max));
  }
  if (auto valid = step.contract.CheckContent(); !valid) {
    return Fail(std::move(valid).error().In(where + ".contract"));
  }
  if (!step.compensation) return {};
  if (auto valid = step.compensation->CheckContent(); !valid) {
    return Fail(std::move(valid).error().In(where + ".compensation"));
  }
  return {};
}

Result<void> CheckSteps(const TaskPlan& plan) {
  if (plan.steps.empty()) return RefuseDag("steps", "is empty");
  if (plan.steps.size() > kMaxPlanSteps) {
    return RefuseDag("steps", fmt::format("has more than {} steps", kMaxPlanSteps));
  }
  std::set<StepId> seen;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const std::string where = fmt::format("steps[{}]", i);
    TRY(CheckStep(plan.steps[i], where));
    if (!seen.insert(plan.steps[i].step_id).second) {
      return RefuseDag(where + ".step_id",
                       fmt::format("{} is there twice", plan.steps[i].step_id.value()));
    }
  }
  return {};
}

Result<void> CheckDependencies(const TaskPlan& plan) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    std::set<StepId> seen;
    for (std::size_t d = 0; d < plan.steps[i].depends_on.size(); ++d) {
      const StepId& id = plan.steps[i].depends_on[d];
      const std::string where = fmt::format("steps[{}].depends_on[{}]", i, d);
      if (plan.Find(id) == nullptr) {
        return RefuseDag(where, fmt::format("there is no step {}", id.value()));
      }
      if (!seen.insert(id).second)
        return RefuseDag(where, fmt::format("{} is there twice", id.value()));
    }
  }
  return {};
}

// Looks for a way back to where it came from. The plan is bounded, so recursion is too.
class CycleFinder {
 public:
  explicit CycleFinder(const TaskPlan& plan) : plan_(plan) {}

  // "a -> b -> a", "" when there is none.
  std::string Find() {
    for (const PlanStep& step : plan_.steps) {
      if (Visit(step)) return fmt::format("{}", fmt::join(path_, " -> "));
    }
    return "";
  }

 private:
  // True when a cycle was found; `path_` is then the cycle, first and last being the same.
  bool Visit(const PlanStep& step) {
    const std::string& id = step.step_id.value();
    if (finished_.contains(id)) return false;
    if (const auto at = std::ranges::find(path_, id); at != path_.end()) {
      path_.erase(path_.begin(), at);
      path_.push_back(id);
      return true;
    }
    path_.push_back(id);
    for (const StepId& next : step.depends_on) {
      if (Visit(*plan_.Find(next))) return true;
    }
    path_.pop_back();
    finished_.insert(id);
    return false;
  }

  const TaskPlan& plan_;
  std::vector<std::string> path_;
  std::set<std::string> finished_;
};

Result<void> CheckAcyclic(const TaskPlan& plan) {
  const std::string cycle = CycleFinder(plan).Find();
  if (cycle.empty()) return {};
  return RefuseDag("steps", fmt::format("depend on each other in a circle: {}", cycle));
}

Result<void> CheckCriteria(const TaskPlan& plan) {
  if (plan.success_criteria.size() > kMaxRules) {
    return RefuseDag("success_criteria", fmt::format("has more than {} rules", kMaxRules));
  }
  for (std::size_t i = 0; i < plan.success_criteria.size(); ++i) {
    const std::string where = fmt::format("success_criteria[{}]", i);
    const VerificationRule& rule = plan.success_criteria[i];
    if (auto valid = rule.Validate(); !valid) return Fail(std::move(valid).error().In(where));
    if (rule.use() == RuleUse::kAfterAction) {
      return RefuseDag(where, "can only be judged after an action");
    }
  }
  return {};
}

Result<void> CheckHeader(const TaskPlan& plan) {
  TRY(CheckStepId("plan_id", plan.plan_id.value()));
  TRY(CheckText("intent", plan.intent, kMaxIntentLength));
  TRY(CheckText("metadata.planner_model", plan.metadata.planner_model, kMaxContractIdLength));
  const std::string& created = plan.metadata.created_at;
  if (!created.empty()) {
    TRY_ASSIGN(const Pattern form, Pattern::Compile(kTimestampPattern, PatternMode::kRegex));
    if (!form.Matches(created)) return RefuseDag("metadata.created_at", "is not an RFC 3339 time");
  }
  if (plan.metadata.confidence && !kConfidences.Contains(*plan.metadata.confidence)) {
    return RefuseDag("metadata.confidence", "must be between 0 and 1");
  }
  return {};
}

}  // namespace

Result<void> TaskPlan::Validate() const {
  constexpr Result<void> (*kRules[])(const TaskPlan&) = {CheckHeader, CheckSteps, CheckDependencies,
                                                         CheckAcyclic, CheckCriteria};
  for (const auto rule : kRules) TRY(rule(*this));
  return {};
}

const PlanStep* TaskPlan::Find(const StepId& id) const {
  const auto found = std::ranges::find(steps, id, &PlanStep::step_id);
  return found == steps.end() ? nullptr : &*found;
}

std::vector<StepId> TaskPlan::ReadySteps(const PlanProgress& progress) const {
  std::map<std::int64_t, std::vector<StepId>> groups;
  for (const PlanStep& step : steps) {
    const bool has_begun = Has(progress.done, step.step_id) ||
                           Has(progress.running, step.step_id) ||
                           Has(progress.failed, step.step_id);
    const bool may_begin = std::ranges::all_of(
        step.depends_on, [&](const StepId& id) { return Has(progress.done, id); });
    if (!has_begun && may_begin) groups[step.parallel_group].push_back(step.step_id);
  }
  if (!progress.running.empty()) {
    const PlanStep* running = Find(progress.running.front());
    const std::int64_t group = running == nullptr ? 0 : running->parallel_group;
    return group == 0 ? std::vector<StepId>() : groups[group];
  }
  if (groups.empty()) return {};
  auto& [group, ready] = *groups.begin();
  if (group == 0) ready.resize(1);
  return std::move(ready);
}

std::vector<StepId> TaskPlan::CompensationOrder(std::span<const StepId> done) const {
  std::vector<StepId> order;
  if (on_failure == Rollback::kNone) return order;
  for (auto id = done.rbegin(); id != done.rend(); ++id) {
    const PlanStep* step = Find(*id);
    if (step != nullptr && step->compensation) order.push_back(*id);
  }
  return order;
}

}  // namespace falconer::model
