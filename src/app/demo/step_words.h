#pragma once
// What a step of the demo did, in words.

#include <string>

#include "model/action/action.h"
#include "model/contract/result.h"

namespace falconer::app {

// "button "Add to cart"; 2 checks hold", "... after POSTCONDITION_FAILED and a pause of 1000 ms"
std::string StepWords(const model::ActionSpec& spec, const model::ActionExecutionResult& result);

}  // namespace falconer::app
