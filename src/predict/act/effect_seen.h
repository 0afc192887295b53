#pragma once
// Whether anything that a contract brought about was seen: the page is another one, something was
// asked of the network, or a rule about its effect holds.

#include "model/contract/result.h"

namespace falconer::predict {

bool HadEffect(const model::ActionExecutionResult& result);

}  // namespace falconer::predict
