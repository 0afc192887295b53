#pragma once
// Healer: finds the element of a step whose selectors find nothing any more, or too much, by what
// is known of it. Refuses when it is not clear which one it is.

#include <string>
#include <vector>

#include "predict/act/learnt_next.h"
#include "predict/act/ranker.h"
#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {

struct Healing {
  // The step with the selectors of the element that was found; nothing when it is not clear.
  std::optional<WorkflowStep> step;
  Ranking ranking;
};

// `bound` is the step with its parameters bound, `document` the same with {name} for them; null
// when it is of no workflow. An element that does not say what the parameters in the document's
// fingerprint stand for is another one.
Healing Heal(const WorkflowStep& bound, const WorkflowStep* document, const ParameterValues& values,
             const std::vector<engine::SeenElement>& seen);

// The selectors with {name} in the place of what was given, as a document may keep them: none that
// tells what was given, and where the element depends on a parameter none that does not.
std::vector<std::string> KeptSelectors(const std::vector<std::string>& selectors,
                                       const WorkflowStep& document, const ParameterValues& values);

// The fingerprint with {name} in the place of what was given, without selectors; a text that
// repeats a value otherwise than letter by letter is left out.
model::Fingerprint NamedFingerprint(model::Fingerprint element, const ParameterValues& values);

}  // namespace falconer::predict
