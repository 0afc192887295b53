#pragma once
// What a rule was judged by stays on record whole, so that it can be judged again, unless a page
// made it huge: then its digest and size stand for it, and a replay says that it is missing.

#include "model/contract/result.h"

namespace falconer::engine {

// Bytes of JSON that one observation may have.
inline constexpr std::size_t kMaxObservation = 32U << 10U;

// Cuts the observations that are too large, in the report and in the failure that quotes it.
void BoundObservations(model::ActionExecutionResult& result);

// {"cut": {"bytes", "sha256"}}
bool IsCut(const json::value& observed);

}  // namespace falconer::engine
