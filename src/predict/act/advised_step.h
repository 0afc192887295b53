#pragma once
// AdvisedStep: what a model said to do, as a step that can be carried out and, where nothing in it
// was typed, kept.

#include <string>
#include <vector>

#include "engine/look.h"
#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {

struct AdvisedAction {
  WorkflowStep now;   // bound to the very element
  WorkflowStep kept;  // with {name} for parameters, found by selectors
  bool can_be_kept = false;
  std::string ref;  // of the element; "" when it is about none
};

// `url` is where the page is. Fails with kProviderAnswerInvalid saying what is wrong: an element
// that is not among those that were seen, selectors of the model's own, a parameter that there is
// not, an action that cannot be read.
Result<AdvisedAction> AdvisedFrom(const json::object& action_spec,
                                  const std::vector<engine::SeenElement>& seen,
                                  const ParameterValues& values, const std::string& url);

}  // namespace falconer::predict
