#pragma once
// What was recorded, as the actions that are worth doing again.

#include <vector>

#include "predict/workflows/recorded_step.h"

namespace falconer::predict {

// What only looks is left out, and what no selector names; typing that goes on in one field is one
// action with the whole text; a click that only moved the focus to a field that was then typed into
// is none. What a person typed is filled in.
std::vector<RecordedStep> ActionsWorthDoing(const std::vector<RecordedStep>& recorded);

}  // namespace falconer::predict
