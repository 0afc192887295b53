#pragma once
// What an action would need if it were carried out now, as far as its type and the element tell
// beforehand. For who wants to know before he sends a contract; what really happens is judged then
// all the same, and may need more.

#include <string>

#include "model/action/action.h"
#include "model/fingerprint/fingerprint.h"

namespace falconer::engine {

// `element` is null when there is none.
model::CapabilitySet ForeseenNeeds(const model::ActionSpec& spec, const model::Fingerprint* element,
                                   const std::string& page_url);

}  // namespace falconer::engine
