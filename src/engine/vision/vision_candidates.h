#pragma once
// Which elements of a page may be the one that a contract means. Pure functions.

#include <string>
#include <vector>

#include "engine/vision/vision_gate.h"
#include "model/contract/contract.h"
#include "model/state/state.h"

namespace falconer::engine {

// More would hide the page, and cost more to look at.
inline constexpr std::size_t kMostVisionCandidates = 5;

// The contract's intent and the names of its target.
std::string WantedOf(const model::ActionContract& contract);
// Only the texts that the target's selectors have in them.
std::vector<std::string> NamesOf(const model::ActionContract& contract);

// Those in view whose role and name have most words with what is wanted in common, numbered from 1;
// further ones in the order of the page.
std::vector<VisionCandidate> CandidatesIn(const model::StructuredState& state,
                                          std::string_view wanted);

}  // namespace falconer::engine
