#pragma once
// The names of parameters wherever a step has them.

#include <functional>
#include <string>
#include <vector>

#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {

// Each once, in the order in which they are used.
std::vector<std::string> ParametersIn(const WorkflowStep& step);

// Every text of the step, its keys not, as what `change` makes of it.
using ChangeText = std::function<std::string(std::string_view text)>;
void ChangeTexts(WorkflowStep& step, const ChangeText& change);

// In all steps, and in the list of parameters.
void RenameParameter(LearnedWorkflow& workflow, const std::string& from, const std::string& to);

}  // namespace falconer::predict
