#pragma once
// Selectors of a step, best first: those of the fingerprint, in the frame where the element was.

#include <string>
#include <vector>

#include "predict/workflows/recorded_step.h"
#include "predict/workflows/recorded_texts.h"

namespace falconer::predict {

// Those of the element, else those of the target that the action was given; as templates, at most
// as many as a target may have.
std::vector<std::string> SelectorsFor(const RecordedStep& done, const RecordedTexts& texts);
std::vector<std::string> TemplateSelectors(const model::Target& target, const RecordedTexts& texts);

// "selector" and "selector_candidates".
void PutSelectors(json::object& spec, const std::vector<std::string>& selectors);
// All of them.
std::vector<std::string> SelectorsIn(const json::object& spec);

}  // namespace falconer::predict
