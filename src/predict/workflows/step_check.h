#pragma once
// What a step of a learned workflow must be, whoever wrote it.

#include <span>
#include <string>

#include "model/contract/contract.h"
#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {

// The members of a contract that a step may have.
inline constexpr std::string_view kStepMembers[] = {"action_spec", "wait_conditions",
                                                    "preconditions", "expected_postconditions",
                                                    "verification_rules"};

// kInvalidArgument naming the field below `path`: the contract is none whatever the values are, or
// a {name} is no parameter.
Result<void> CheckStep(const WorkflowStep& step, std::span<const WorkflowParameter> parameters,
                       const std::string& path);

// The contract of a step that is bound. Fails as ActionContract::FromJson.
Result<model::ActionContract> ContractOf(const WorkflowStep& bound, const WorkflowId& workflow);

// The signature of what the step does whatever the values are: "*" stands for each of them.
std::string StepSignature(const WorkflowStep& step);

}  // namespace falconer::predict
