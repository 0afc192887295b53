#pragma once
// What becomes of a workflow's step when it is carried out: a contract with an identity of its own,
// and what is looked for on the page before.

#include <string>
#include <string_view>
#include <vector>

#include "engine/look.h"
#include "model/contract/contract.h"
#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {

// Who chose a step.
enum class ChosenBy : std::uint8_t { kPrediction, kModel, kCaller };

inline constexpr EnumName<ChosenBy> kChoosers[] = {
    {ChosenBy::kPrediction, "prediction"},
    {ChosenBy::kModel, "model"},
    {ChosenBy::kCaller, "caller"},  // by his own words
};

// Where and as what a step is carried out. The index makes the same step, done again in the same
// run, another action.
struct StepPlace {
  WorkflowId session;
  RunId run;
  std::int64_t index = 0;
  ChosenBy by = ChosenBy::kPrediction;
  json::object told = {};  // goes on record with it
};

// The contract of a step whose parameters are bound. Fails as ActionContract::FromJson.
Result<model::ActionContract> ContractOf(const WorkflowStep& step, const StepPlace& place);

// Whether a contract came from a prediction: nobody learns from it as if a person had chosen it.
bool IsPredicted(const model::ActionContract& contract);

// The selectors of the step's element, the best first; none when it is about no element.
std::vector<std::string> SelectorsOf(const WorkflowStep& step);
engine::ProbedTarget ProbedOf(const WorkflowStep& step);
// The step with these selectors instead, in its rules and waits too.
WorkflowStep WithSelectors(WorkflowStep step, const std::vector<std::string>& selectors);
// The step on this very element, in its rules and waits too: for elements in frames, which
// selectors of the main document do not lead to.
WorkflowStep AtRef(WorkflowStep step, const std::string& ref);
// The name of its action, "" when it has none.
std::string ActionOf(const WorkflowStep& step);

// Waits until one of these is to be seen. `most` is for how long.
model::ActionContract WaitFor(const std::vector<engine::ProbedTarget>& targets, Duration most,
                              const StepPlace& place);

}  // namespace falconer::predict
