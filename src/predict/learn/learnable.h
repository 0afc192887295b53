#pragma once
// Which actions are learnt from: what somebody did, not what he looked at, and nothing that spells
// out what he typed.

#include "model/action/action.h"

namespace falconer::predict {

bool IsLearnable(const model::ActionSpec& spec);

}  // namespace falconer::predict
