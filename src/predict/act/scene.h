#pragma once
// Scene: what may come next, and what of it is on the page now.

#include <optional>
#include <vector>

#include "predict/act/run_frame.h"

namespace falconer::predict {

struct Scene {
  std::vector<OpenStep> open;
  std::vector<engine::ProbeFinding> findings;  // of each; of what is about no element it is there
  std::vector<std::size_t> present;            // positions of those that can be used
  std::vector<Guess> guesses;                  // the surest first
};

// Looks. Nothing when that failed: the run has ended then. The frame must outlive the call.
Task<std::optional<Scene>> ObserveScene(RunFrame* frame);

// What carrying the step out here would need, as far as that can be foreseen.
model::CapabilitySet NeedsOf(RunFrame& frame, const WorkflowStep& step);
Validation ValidateIn(RunFrame& frame, const Scene& scene, std::size_t open);
// On an element that may be another one than the step was learnt from.
Validation ValidateOn(RunFrame& frame, const WorkflowStep& step, const model::Fingerprint& now);
// As ValidateIn, with a look at the element where nobody asked for the step, or where it was not
// found by the selector that says best what it is. When looking failed the run has ended. Both must
// outlive the call.
Task<Validation> ValidateNow(RunFrame* frame, const Scene* scene, std::size_t open);

// {"intent","confidence","source","present","reason"} of each open step, the surest first.
json::array CandidatesIn(RunFrame& frame, const Scene& scene);

}  // namespace falconer::predict
