#pragma once
// Waits and rules that came with a recorded action, as templates.

#include "predict/workflows/recorded_step.h"
#include "predict/workflows/recorded_texts.h"

namespace falconer::predict {

// {"wait_conditions","verification_rules"}, without those that are about one session only (refs,
// frames, hashes of states, pictures).
json::object GuardsOf(const RecordedStep& done, const RecordedTexts& texts);

}  // namespace falconer::predict
